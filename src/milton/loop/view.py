"""Shows a LiveStatus as it changes: a live panel, plain lines, or JSON lines. Changes nothing."""

import json
import math
import threading
import time
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live
from rich.text import Text

from .live_status import LiveStatus
from .status_panel import duration, iteration_line, render

_FRAMES_PER_S = 4
# Longest silence of plain lines: after that, somebody watching the log would wonder.
LONGEST_SILENCE_S = 9.0
_TICK_S = 0.5
# Room for the "^C" that terminals echo: at the right edge it would break the line and the panel with it.
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
    """One line a stage, for logs and pipes, and one that says how far it is if that takes long."""

    def __init__(self, status: LiveStatus, console: Console) -> None:
        self._status = status
        self._console = console
        self._num_seen = 0
        self._printed_s = time.monotonic()
        self._lock = threading.RLock()  # the loop and the ticker print
        self._closed = threading.Event()
        threading.Thread(target=self._tick, name="plain-view", daemon=True).start()

    def refresh(self) -> None:
        with self._lock:
            messages = self._status.unseen(self._num_seen)
            self._num_seen = self._status.num_messages
            for message in messages:
                self._print(str(message))

    def stage_done(self, line: str) -> None:
        with self._lock:
            self.refresh()
            self._print(line)

    def iteration_done(self, iteration: int) -> None:
        """Its stages have said everything."""

    def close(self) -> None:
        self._closed.set()
        self.refresh()

    def report_progress(self, now_s: float) -> None:
        """Says how far the stage is if nothing was printed for long; `now_s` is of time.monotonic."""
        with self._lock:
            if not self._closed.is_set() and now_s - self._printed_s >= LONGEST_SILENCE_S:
                self._print(progress_line(self._status))

    def _tick(self) -> None:
        while not self._closed.wait(_TICK_S):
            self.report_progress(time.monotonic())

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
        self._console.file.flush()
        self._printed_s = time.monotonic()


def progress_line(status: LiveStatus) -> str:
    """How far the current stage is, in one line."""
    stage = status.stage
    words = [f"  iteration {stage.iteration}, {stage.name}:" if stage.iteration else f"  {stage.name}:"]
    if stage.total > 0:
        words.append(
            f"{stage.share:.0%} ({stage.done:,.0f} of {stage.total:,.0f} {stage.unit})".replace(" )", ")")
        )
    seconds = stage.eta_s(time.time())
    words += [stage.text] if stage.text else []
    if seconds is not None:
        words.append(f"{duration(seconds)} to go")
    elif not stage.text:
        words.append("working")
    return " ".join(words)


class JsonView:
    """One JSON object a line: every stage, every iteration, every message."""

    def __init__(self, status: LiveStatus, console: Console) -> None:
        self._status = status
        self._file = console.file
        self._num_seen = 0

    def refresh(self) -> None:
        messages = self._status.unseen(self._num_seen)
        self._num_seen = self._status.num_messages
        for message in messages:
            self._write(
                "message", level=message.level, about=message.kind, text=message.text, action=message.action
            )

    def stage_done(self, line: str) -> None:
        self.refresh()
        stage = self._status.stage
        seconds = time.time() - stage.started_s
        self._write("stage", iteration=stage.iteration, stage=stage.name, seconds=seconds, text=line)

    def iteration_done(self, iteration: int) -> None:
        self.refresh()
        figures = self._status.as_progress()
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
    """A panel that is drawn again a few times a second; finished iterations stay above it as a list."""

    def __init__(self, status: LiveStatus, console: Console) -> None:
        self._status = status
        self._iteration_started_s = time.time()
        self._live = Live(
            get_renderable=lambda: render(status, time.time(), console.width - _MARGIN),
            console=console,
            refresh_per_second=_FRAMES_PER_S,
            transient=False,
        )
        self._live.start()

    def refresh(self) -> None:
        """The panel redraws itself."""

    def stage_done(self, line: str) -> None:
        """The panel has the figures; the iteration's line will have the result."""

    def iteration_done(self, iteration: int) -> None:
        seconds = time.time() - self._iteration_started_s
        self._iteration_started_s = time.time()
        line = iteration_line(self._status, iteration)
        self._live.console.print(Text.assemble(line, (f"  {duration(seconds)}", "dim")), no_wrap=True)

    def close(self) -> None:
        self._live.stop()


def open_view(status: LiveStatus, console: Console) -> View:
    """What fits the console: a panel in a terminal, plain lines elsewhere."""
    return LiveView(status, console) if console.is_terminal else PlainView(status, console)


def _finite(value: Any) -> Any:
    """JSON knows no infinity: an end that nothing bounds is null."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
