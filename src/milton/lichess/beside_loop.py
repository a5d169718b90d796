"""The bot as a process beside `milton loop`: its command, its priority, its end. Plays nothing."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from milton.config import LichessSettings
from milton.config.toml_text import toml_value

# About a tenth of a core beside threads that learn: enough to keep the clock, little enough not to be felt.
NICENESS = 10
# Time to resign the games under way once the loop is gone.
GRACE_S = 8.0


def command(run: Path, settings: LichessSettings, *, demo: bool = False) -> list[str]:
    """How to start it; `demo` plays against a server of its own. The token stays in the environment."""
    words = [sys.executable, "-m", "milton.cli", "lichess", "--run", str(run), "--device", "cpu"]
    words += ["--beside-loop", *(["--demo"] if demo else [])]
    for key, value in settings_beside_loop(settings):
        words += ["--set", f"lichess.{key}={toml_value(value)}"]
    return words


def settings_beside_loop(settings: LichessSettings) -> LichessSettings:
    """As set for the loop, with the threads that the loop leaves to the bot."""
    return settings.model_copy(
        update={
            "threads": settings.loop_threads,
            # Every game takes a thread at least.
            "concurrency": min(settings.concurrency or settings.loop_threads, settings.loop_threads),
            # Games may last an hour, and the bot ends with the loop: no opponent should wait in vain.
            "on_stop": "resign" if settings.on_stop == "finish" else settings.on_stop,
        }
    )


def step_back() -> None:
    """Lowers the priority of this process, and lets it end when the loop does."""
    os.nice(NICENESS)
    threading.Thread(target=_end_with_loop, name="ends with the loop", daemon=True).start()


def keep_to_cores(num_cores: int) -> None:
    """Holds this thread and those that it starts to so many cores, whatever libraries do (Linux)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-num_cores:])


def _end_with_loop() -> None:
    """The loop holds the other end of standard input: it closes when the loop ends, however that happens."""
    while _read_input():
        pass
    os.kill(os.getpid(), signal.SIGTERM)  # ends games as the settings say
    time.sleep(GRACE_S)
    os._exit(1)


def _read_input() -> bytes:
    try:
        return os.read(0, 4096)  # not sys.stdin: its lock would be held when the interpreter ends
    except OSError:
        return b""
