"""How a process beside a loop learns that the loop is gone. Knows neither of the two."""

import os
import threading
from collections.abc import Callable


def call_when_loop_ends(at_end: Callable[[], None]) -> None:
    """The loop holds the other end of standard input: it closes when the loop ends, however that happens."""
    threading.Thread(target=_wait, args=(at_end,), name="ends with the loop", daemon=True).start()


def _wait(at_end: Callable[[], None]) -> None:
    while _read_input():
        pass
    at_end()


def _read_input() -> bytes:
    try:
        return os.read(0, 4096)  # not sys.stdin: its lock would be held when the interpreter ends
    except OSError:
        return b""
