"""Fills a shard with labelled positions in several processes, and resumes where it was stopped."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path

from milton.errors import ArgumentError, ShardError
from milton.games import GameSpec
from milton.rating import MoveLimit, PlayerSpec, parse_player
from milton.rating.workers import process_pool
from milton.replay import GameBlock, ShardReader, ShardWriter

from .labelled_games import LabelTask, label_games

_GAMES_PER_TASK = 4
# One task at work and one waiting keep a process busy.
_LESSONS_PER_WORKER = 2
_LOOK_EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class LabelProgress:
    num_positions: int  # in the file
    wanted: int
    positions_per_s: float  # since the start of this call


def teacher_spec(name: str, limit: MoveLimit) -> PlayerSpec:
    """An outside engine as a teacher; its name may fix another limit."""
    spec = parse_player(name, "chess", network_limit=limit, engine_limit=limit)
    if spec.kind != "engine" or spec.protocol != "uci" or spec.limit is None or spec.limit.kind == "clock":
        raise ArgumentError(f"expected a UCI engine with a limit for each move as teacher, got {name!r}")
    return spec


def label_positions(
    path: Path,
    teacher: PlayerSpec,
    num_positions: int,
    *,
    workers: int,
    seed: int = 0,
    on_progress: Callable[[LabelProgress], None] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> int:
    """Adds games until the file holds this many positions or `should_stop`; returns how many it holds.

    A file that another teacher labelled is refused: its marks would be wrong.
    """
    next_game = _next_game(path, teacher, seed)
    started = time.perf_counter()
    with (
        ShardWriter(path, "chess", GameSpec.of("chess").packed_bytes) as writer,
        process_pool(workers) as pool,
    ):
        at_start = writer.num_positions
        waiting: set[Future[GameBlock | None]] = set()
        while writer.num_positions < num_positions and not should_stop():
            while len(waiting) < workers * _LESSONS_PER_WORKER:
                task = LabelTask(teacher, next_game, _GAMES_PER_TASK, seed)
                waiting.add(pool.submit(label_games, task))
                next_game += _GAMES_PER_TASK
            done, waiting = wait(waiting, _LOOK_EVERY_S, return_when=FIRST_COMPLETED)
            for block in (future.result() for future in done):
                if block is not None:
                    writer.append(block)
            if on_progress is not None:
                speed = (writer.num_positions - at_start) / (time.perf_counter() - started)
                on_progress(LabelProgress(writer.num_positions, num_positions, speed))
        return writer.num_positions


def _next_game(path: Path, teacher: PlayerSpec, seed: int) -> int:
    """The number of the first game that this file has not seen with this seed."""
    if not path.exists():
        return 0
    highest = -1
    for block in ShardReader(path).blocks():
        if block.network_names != (teacher.name,):
            raise ShardError(f"{path}: labelled by {block.network_names!r}, expected {teacher.name!r}")
        ids = [game_id for game_id in block.game_ids.tolist() if game_id >> 40 == seed]
        highest = max([highest, *(game_id - (seed << 40) for game_id in ids)])
    return highest + 1
