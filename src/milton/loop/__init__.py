"""The only room that knows the whole iteration: self-play, training, arena, promotion."""

from .board import Board, Message
from .context import open_window
from .loop import add_first_champion, init_run, run_loop, selfplay_share
from .session import Session, Wishes, open_session
from .status import RunStatus, run_status
from .view import JsonView, LiveView, PlainView, View, open_view

__all__ = [
    "Board",
    "JsonView",
    "LiveView",
    "Message",
    "PlainView",
    "RunStatus",
    "Session",
    "View",
    "Wishes",
    "add_first_champion",
    "init_run",
    "open_session",
    "open_view",
    "open_window",
    "run_loop",
    "run_status",
    "selfplay_share",
]
