"""What runs beside the loop to deploy its champion: the protocol, and a process that is kept running.

Knows neither what the process does nor where it deploys. Nothing here waits for it while the loop works, and
no failure of it reaches the loop: all that comes back are notices.
"""

import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from milton.rundir import EventLevel
from milton.workforce import Notice

PATIENCE_S = 10.0  # what a process that is asked to end gets before it is killed
_LONGEST_LINE = 65_536  # bytes
_MOST_LETTERS = 300  # of a line that are told
_NUM_NOTICES = 100  # kept until they are asked for


class Deployment(Protocol):
    """`run_loop` starts it, asks for notices while it works, and closes it."""

    def start(self) -> None: ...

    def notices(self) -> list[Notice]:
        """What happened since the last call."""

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """Ends it, within about that many seconds; 0 asks and does not wait."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """Exponential back-off between the end of a process and its next start."""

    first_s: float = 2.0
    longest_s: float = 1800.0
    settled_s: float = 120.0  # a process that ran this long starts again after the first pause

    def next(self, pause_s: float, ran_s: float) -> float:
        """The pause after a process that ran `ran_s`; `pause_s` was the one before it, 0 before the first."""
        if pause_s == 0.0 or ran_s >= self.settled_s:
            return self.first_s
        return min(2.0 * pause_s, self.longest_s)


class KeptProcess:
    """A process that is started again whenever it ends by itself.

    Its standard input is a pipe that stays open as long as this process lives: at its end the process has to
    end too, whether the loop closed it or was killed. Each line of its standard output is a notice. The last
    line of its standard error says why it ended.
    """

    def __init__(self, name: str, kind: str, command: Sequence[str], pauses: Pauses | None = None) -> None:
        """`name` is used in sentences, `kind` is that of the notices. The environment is inherited."""
        self._name = name
        self._kind = kind
        self._command = list(command)
        self._pauses = pauses or Pauses()
        self._notices: deque[Notice] = deque(maxlen=_NUM_NOTICES)
        self._closing = threading.Event()
        self._lock = threading.Lock()  # of the process that runs now
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name=f"keeps {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

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
            if process is not None and process.stdin is not None:
                process.stdin.close()
        if patience_s <= 0.0:
            return
        self._thread.join(patience_s)
        if self._thread.is_alive() and process is not None:
            self._tell("warning", f"{self._name} did not end when asked", "killed")
            process.kill()
            self._thread.join(patience_s)
        elif is_first and process is not None:
            self._tell("info", f"{self._name} ended with the loop")

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
            pause_s = self._pauses.next(pause_s, time.monotonic() - started_s)
            self._tell("warning", f"{self._name} {reason}", f"starting it again in {pause_s:.0f} s")
            self._closing.wait(pause_s)

    def _run_once(self) -> str:
        """Runs the process to its end; what is to be said about that."""
        with self._lock:
            if self._closing.is_set():
                return ""
            # A process group of its own: Ctrl-C in the terminal is for the loop. Not a session of its own: a
            # Linux that schedules by session would give it a full share whatever its priority.
            process = self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        self._tell("info", f"{self._name} started (process {process.pid})")
        last_words: deque[str] = deque(maxlen=1)
        assert process.stdout is not None
        assert process.stderr is not None
        errors = threading.Thread(target=_read_lines, args=(process.stderr, last_words.append), daemon=True)
        errors.start()
        _read_lines(process.stdout, lambda line: self._tell("info", f"{self._name}: {line}"))
        code = process.wait()
        errors.join()
        with self._lock:
            self._process = None
            if process.stdin is not None:
                process.stdin.close()
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"{how}: {last_words[0]}" if last_words else how

    def _tell(self, level: EventLevel, message: str, action: str = "") -> None:
        self._notices.append(Notice(level, self._kind, message, action))


def _read_lines(stream: IO[bytes], take: Callable[[str], object]) -> None:
    """Hands on every line that says something, as printable text of bounded length."""
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            text = line.decode("utf-8", "replace").strip()[:_MOST_LETTERS]
            if text:
                take("".join(letter if letter.isprintable() else "?" for letter in text))
