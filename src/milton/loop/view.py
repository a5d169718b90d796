"""Shows a Board as it changes: a live picture, plain lines, or JSON lines. Changes nothing."""

import json
import math
import time
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

from .board import Board
from .picture import duration, iteration_line, render

_PICTURES_PER_S = 4
# Room for the "^C" that terminals echo: at the right edge it would break the line and the picture with it.
_MARGIN = 3


class View(Protocol):
    def refresh(self) -> None:
        """Something changed."""

    def stage_done(self, line: str) -> None:
        """A stage was finished; `line` says how."""

    def iteration_done(self, iteration: int) -> None:
        """All stages of an iteration were finished."""

    def close(self) -> None: ...


class PlainView:
    """One line a stage, for logs and pipes."""

    def __init__(self, board: Board, console: Console) -> None:
        self._board = board
        self._console = console
        self._num_seen = 0

    def refresh(self) -> None:
        messages = self._board.unseen(self._num_seen)
        self._num_seen = self._board.num_messages
        for message in messages:
            self._print(str(message))

    def stage_done(self, line: str) -> None:
        self.refresh()
        self._print(line)

    def iteration_done(self, iteration: int) -> None:
        """Its stages have said everything."""

    def close(self) -> None:
        self.refresh()

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()


class JsonView:
    """One JSON object a line: every stage, every iteration, every message."""

    def __init__(self, board: Board, console: Console) -> None:
        self._board = board
        self._file = console.file
        self._num_seen = 0

    def refresh(self) -> None:
        messages = self._board.unseen(self._num_seen)
        self._num_seen = self._board.num_messages
        for message in messages:
            self._write(
                "message", level=message.level, about=message.kind, text=message.text, action=message.action
            )

    def stage_done(self, line: str) -> None:
        self.refresh()
        stage = self._board.stage
        seconds = time.time() - stage.started_s
        self._write("stage", iteration=stage.iteration, stage=stage.name, seconds=seconds, text=line)

    def iteration_done(self, iteration: int) -> None:
        self.refresh()
        figures = self._board.as_progress()
        for name in ("stage", "messages", "num_messages", "shown_game"):
            del figures[name]
        self._write("iteration", iteration=iteration, **figures)

    def close(self) -> None:
        self.refresh()

    def _write(self, kind: str, **values: Any) -> None:
        line = json.dumps(_finite({"kind": kind, "time_s": time.time(), **values}), ensure_ascii=False)
        self._file.write(line + "\n")
        self._file.flush()


class LiveView:
    """A picture that is drawn again a few times a second; finished iterations stay above it as a list."""

    def __init__(self, board: Board, console: Console) -> None:
        self._board = board
        self._iteration_started_s = time.time()
        self._live = Live(
            get_renderable=lambda: render(board, time.time(), console.width - _MARGIN),
            console=console,
            refresh_per_second=_PICTURES_PER_S,
            transient=False,
        )
        self._live.start()

    def refresh(self) -> None:
        """The picture draws itself."""

    def stage_done(self, line: str) -> None:
        """The picture has the figures; the iteration's line will have the result."""

    def iteration_done(self, iteration: int) -> None:
        seconds = time.time() - self._iteration_started_s
        self._iteration_started_s = time.time()
        line = iteration_line(self._board, iteration)
        self._live.console.print(Text.assemble(line, (f"  {duration(seconds)}", "dim")), no_wrap=True)

    def close(self) -> None:
        self._live.stop()


def open_view(board: Board, console: Console) -> View:
    """What fits the console: a picture in a terminal, plain lines elsewhere."""
    return LiveView(board, console) if console.is_terminal else PlainView(board, console)


def _finite(value: Any) -> Any:
    """JSON knows no infinity: an end that nothing bounds is null."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
