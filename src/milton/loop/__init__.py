"""The only room that knows the whole iteration: self-play, training, arena, promotion."""

from .board import Board
from .loop import add_first_champion, init_run, run_loop, selfplay_share

__all__ = ["Board", "add_first_champion", "init_run", "run_loop", "selfplay_share"]
