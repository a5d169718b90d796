"""The UCI engine: a door for chess GUIs. It translates and never decides anything. Torch-free."""

import gc
import io
import sys
from pathlib import Path

from milton.inference.load import Device
from milton.play import find_checkpoint, find_network
from milton.play.scheduling import ask_for_short_turns
from milton.uci.session import Output, Session


def run_uci(
    checkpoint: Path | None = None, run: Path | None = None, device: Device = "auto", *, tuning: bool = False
) -> None:
    """Talks UCI on stdin and stdout until `quit` or the end of the input."""
    found = find_checkpoint("chess", checkpoint, run)
    session = Session(find_network("chess", found, device=device), Output(sys.stdout), found, tuning=tuning)
    ask_for_short_turns()
    # What is there stays: the collector need not walk through all of it while a clock runs.
    gc.collect()
    gc.freeze()
    # Whatever bytes arrive are lines; a GUI's odd encoding must not end the game.
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    try:
        for line in lines:
            if not session.handle(line):
                break
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
        gc.unfreeze()
