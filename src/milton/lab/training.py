"""Trains a method in its file, here or in a process of its own. Knows no particular method."""

from collections.abc import Callable
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from milton.errors import ArgumentError
from milton.rating.workers import process_pool
from milton.system import peak_memory_mb

from .method import Method, Progress, Session
from .registry import load_method, method_class

_LOOK_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class TrainTask:
    """Everything needed to train a method anywhere."""

    method: str
    out: Path
    game: str = "chess"
    minutes: float | None = 10.0  # of this call; None: until the work of the settings is done
    settings: tuple[tuple[str, object], ...] = ()  # of a new file
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class TrainReport:
    method: str
    game: str
    file: Path
    seconds: float  # of training in all, earlier calls included
    steps: int
    games: int
    num_parameters: int
    file_bytes: int
    peak_memory_mb: float  # of the process that trained
    figures: dict[str, float]
    teacher: str
    was_interrupted: bool

    def as_object(self) -> dict[str, object]:
        return asdict(self)


def open_method(task: TrainTask) -> Method[Any]:
    """The method in the task's file, to resume, or a new one; settings are refused by name."""
    if task.out.exists():
        method = load_method(task.out)
        if (method.name, method.game) != (task.method, task.game):
            raise ArgumentError(
                f"{task.out} holds {method.name} for {method.game}, expected {task.method} for {task.game}"
            )
        if task.settings:
            raise ArgumentError(f"{task.out} keeps its own settings; new ones need another --out")
        return method
    found = method_class(task.method)
    return found(task.game, found.parse_settings(dict(task.settings)), task.seed)


def train_file(task: TrainTask, on_progress: Callable[[Progress], None] | None = None) -> TrainReport:
    """Trains here, with the file saved at the end and every half minute."""
    method = open_method(task)
    session = Session(task.out, task.minutes, task.threads, on_progress)
    is_complete = method.train(session)
    return TrainReport(
        method=method.name,
        game=method.game,
        file=task.out,
        seconds=method.record.seconds,
        steps=method.record.steps,
        games=method.record.games,
        num_parameters=method.num_parameters,
        file_bytes=task.out.stat().st_size,
        peak_memory_mb=peak_memory_mb(),
        figures=dict(method.record.figures),
        teacher=method.record.teacher,
        was_interrupted=not is_complete,
    )


def train_apart(task: TrainTask, on_wait: Callable[[], None] | None = None) -> TrainReport:
    """Trains in a new process, so that its memory can be measured separately."""
    with process_pool(1) as pool:
        running = pool.submit(train_file, task)
        # Ctrl-C in a terminal reaches the other process too, which saves and comes back.
        with suppress(KeyboardInterrupt):
            while not wait([running], timeout=_LOOK_EVERY_S).done:
                if on_wait is not None:
                    on_wait()
        return running.result()
