"""One iteration of a loop, again and again, each time with another file operation that fails.

A program of its own, because the operations are intercepted by LD_PRELOAD (failing_calls.cpp).

Usage: LD_PRELOAD=failing_calls.so python failing_iterations.py FOLDER [--every=K] [--most=N]
"""

import ctypes
import errno
import shutil
import sys
import traceback
from io import StringIO
from pathlib import Path

from rich.console import Console
from run_invariants import check_everything
from short_loop import tiny_settings

from milton.errors import MiltonError
from milton.loop import init_run, run_loop
from milton.rundir import RunDir

SMALL = {"loop.samples_per_iter": 100, "arena.games": 2, "arena.simulations": 2, "arena.ladder_games": 2}
ERRORS = (errno.EIO, errno.ENOSPC)


def iterate(path: Path, iterations: int) -> None:
    with RunDir.open(path) as run:
        assert run_loop(run, run.settings(), iterations=iterations, console=Console(file=StringIO()))


def attempt(library: ctypes.CDLL, path: Path, which: int, error: int) -> tuple[int, str]:
    """Goes on with a run while the `which`-th operation fails; how many there were, and how it ended."""
    library.milton_fault_arm(str(path).encode(), which, error)
    try:
        iterate(path, 2)
        ended = "went on"
    except MiltonError as refused:
        ended = f"refused: {refused}"
    except Exception:  # noqa: BLE001 -- told below, with all the others
        ended = f"broke: {traceback.format_exc()}"
    finally:
        num_calls = library.milton_fault_disarm()
    return num_calls, ended


def main(folder: Path, every: int, most: int) -> None:
    library = ctypes.CDLL(None)
    template = folder / "template"
    with init_run(template, tiny_settings(**SMALL)) as run:
        assert run_loop(run, run.settings(), iterations=1, console=Console(file=StringIO()))
    num_calls, _ = attempt(library, shutil.copytree(template, folder / "counted"), 0, 0)
    num_refused = num_tried = 0
    broken: list[int] = []
    for which in range(1, num_calls + 1, every):
        if num_tried == most:
            break
        path = shutil.copytree(template, folder / "run")
        _, ended = attempt(library, path, which, ERRORS[which % len(ERRORS)])
        num_refused += ended != "went on"
        num_tried += 1
        try:
            iterate(path, 2)  # the next start puts everything right
            check_everything(path)
        except Exception:  # noqa: BLE001 -- told below, with all the others
            ended = f"broke afterwards: {traceback.format_exc()} ({ended})"
        if ended.startswith("broke"):
            broken.append(which)
            print(f"after operation {which} of {num_calls} failed: {ended}", file=sys.stderr)
        shutil.rmtree(path)
    ended = f"{num_refused} ended the loop with a line, {len(broken)} lost anything"
    print(f"{num_tried} of {num_calls} operations failed: {ended}")
    sys.exit(len(broken) > 0)


if __name__ == "__main__":
    options = dict(word.removeprefix("--").split("=") for word in sys.argv[2:])
    main(Path(sys.argv[1]), int(options.get("every", 1)), int(options.get("most", 0)) or -1)
