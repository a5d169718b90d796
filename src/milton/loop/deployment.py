"""What runs beside the loop to deploy its champion: the protocol, and a supervised process.

Knows neither what the process does nor where it deploys. Nothing here waits for it while the loop works, and
no failure of it reaches the loop: all that comes back are notices.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from milton.rundir import EventLevel
from milton.workforce import Notice

from .side_process import SideProcess, printable

PATIENCE_S = 10.0  # what a process that is asked to end gets before it is killed
_NUM_NOTICES = 100  # kept until they are asked for


class Deployment(Protocol):
    """`run_loop` starts it, asks for notices while it works, and closes it."""

    def start(self) -> None: ...

    def notices(self) -> list[Notice]:
        """What happened since the last call."""

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """Ends it, within about that many seconds; 0 asks and does not wait."""


@dataclass(frozen=True, slots=True)
class RestartBackoff:
    """Exponential back-off between the end of a process and its next start."""

    first_s: float = 2.0
    longest_s: float = 1800.0
    settled_s: float = 120.0  # a process that ran this long starts again after the first pause

    def next(self, pause_s: float, ran_s: float) -> float:
        """The pause after a process that ran `ran_s`; `pause_s` was the one before it, 0 before the first."""
        if pause_s == 0.0 or ran_s >= self.settled_s:
            return self.first_s
        return min(2.0 * pause_s, self.longest_s)


class SupervisedProcess:
    """A process that is started again whenever it ends by itself.

    Each line of its standard output is a notice. The last line of its standard error says why it ended.
    """

    def __init__(
        self, name: str, kind: str, command: Sequence[str], backoff: RestartBackoff | None = None
    ) -> None:
        """`name` is used in sentences, `kind` is that of the notices. The environment is inherited."""
        self._name = name
        self._kind = kind
        self._command = list(command)
        self._backoff = backoff or RestartBackoff()
        self._notices: deque[Notice] = deque(maxlen=_NUM_NOTICES)
        self._closing = threading.Event()
        self._lock = threading.Lock()  # of the process that runs now
        self._process: SideProcess | None = None
        self._thread = threading.Thread(target=self._keep, name=f"keeps {name}", daemon=True)

    def start(self) -> None:
        try:
            self._thread.start()
        except RuntimeError as error:  # the system has no thread left
            self._notify("warning", f"{self._name} does not start: {error}", "the loop continues without it")

    def notices(self) -> list[Notice]:
        found = []
        while self._notices:
            found.append(self._notices.popleft())
        return found

    def close(self, patience_s: float = PATIENCE_S) -> None:
        if self._thread.ident is None:
            return  # never started
        is_first = not self._closing.is_set()
        self._closing.set()
        with self._lock:
            process = self._process
            if process is not None:
                process.ask_to_end()
        if patience_s <= 0.0:
            return
        self._thread.join(patience_s)
        if self._thread.is_alive() and process is not None:
            self._notify("warning", f"{self._name} did not end when asked", "killed")
            process.kill()
            self._thread.join(patience_s)
        elif is_first and process is not None:
            self._notify("info", f"{self._name} ended with the loop")

    def _keep(self) -> None:
        pause_s = 0.0
        while not self._closing.is_set():
            started_s = time.monotonic()
            try:
                reason = self._run_once()
            except OSError as error:
                reason = f"does not start: {error}"
            if self._closing.is_set():
                return
            pause_s = self._backoff.next(pause_s, time.monotonic() - started_s)
            self._notify("warning", f"{self._name} {reason}", f"starting it again in {pause_s:.0f} s")
            self._closing.wait(pause_s)

    def _run_once(self) -> str:
        """Runs the process to its end; what is to be said about that."""
        with self._lock:
            if self._closing.is_set():
                return ""
            process = self._process = SideProcess(self._command)
        self._notify("info", f"{self._name} started (process {process.pid})")
        end = process.run(lambda line: self._notify("info", f"{self._name}: {printable(line)}"))
        with self._lock:
            self._process = None
        return end

    def _notify(self, level: EventLevel, message: str, action: str = "") -> None:
        self._notices.append(Notice(level, self._kind, message, action))
