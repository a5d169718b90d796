"""The bot as a process beside `milton loop`: its command, its settings, its end. Plays nothing."""

import os
import signal
import sys
import time
from pathlib import Path

from milton.config import LichessSettings
from milton.config.toml_text import toml_value
from milton.workforce.beside import call_when_loop_ends

# Searches get about a tenth of a core beside threads that learn, little enough not to be felt. The thread
# that reads streams and sends moves does not step back: it needs milliseconds a move, and a game is lost on
# time where it has to wait for them.
SEARCH_NICENESS = 10
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
            "search_niceness": max(settings.search_niceness, SEARCH_NICENESS),
            # Games may last an hour, and the bot ends with the loop: no opponent should be left waiting.
            "on_stop": "resign" if settings.on_stop == "finish" else settings.on_stop,
        }
    )


def end_with_loop() -> None:
    """Lets this process end when the loop does."""
    call_when_loop_ends(_end)


def _end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)  # ends games as the settings say
    time.sleep(GRACE_S)
    os._exit(1)
