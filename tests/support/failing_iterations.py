"""One iteration of a loop, again and again, each time with another file operation that fails.

A program of its own, because the operations are intercepted by LD_PRELOAD (failing_calls.cpp).

With --power=1 an operation fails and so does every one after it, and the folder then falls back to what was
flushed: contents of files at their last fsync, names in a folder at the folder's.

With --torn=1 a write that fails has written half of its bytes, and after a power cut anything since the last
flush may be there or not, by itself: each sector of a file, its length, each name in a folder.

Usage: LD_PRELOAD=failing_calls.so python failing_iterations.py FOLDER \
    [--every=K] [--most=N] [--power=1] [--torn=1]
"""

import ctypes
import errno
import random
import shutil
import sys
import traceback
from io import StringIO
from pathlib import Path

from printed_ratings import SETTINGS, print_ratings
from rich.console import Console
from run_invariants import check_everything
from short_loop import tiny_settings

from milton.errors import MiltonError
from milton.loop import init_run, run_loop
from milton.rundir import RunDir

# Every stage has work: a network for people is trained in each iteration, and ratings end within them.
SMALL = {
    "loop.samples_per_iter": 100,
    "arena.games": 2,
    "arena.simulations": 2,
    "arena.ladder_games": 2,
    "deploy.growth": 1.05,
    "deploy.champion_growth": 1.05,
    "deploy.first_positions": 1,
    "deploy.games": 2,
    "deploy.nodes": 8,
    **SETTINGS,
}
ERRORS = (errno.EIO, errno.ENOSPC)
SECTOR_BYTES = 512


def iterate(path: Path, iterations: int) -> None:
    with RunDir.open(path) as run:
        assert run_loop(run, run.settings(), iterations=iterations, console=Console(file=StringIO()))


def attempt(
    library: ctypes.CDLL, path: Path, which: int, error: int, durable: Path | None = None
) -> tuple[int, str]:
    """Goes on with a run while the `which`-th operation fails, or with `durable` all from it on; how many
    there were, and how it ended."""
    if durable is None:
        library.milton_fault_arm(str(path).encode(), which, error)
    else:
        library.milton_power_arm(str(path).encode(), which, str(durable).encode())
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


def remember(path: Path, durable: Path) -> None:
    """What is there before power may fail has been flushed long ago."""
    shutil.rmtree(durable, ignore_errors=True)
    durable.mkdir()
    for entry in (path, *path.rglob("*")):
        kept = durable / f"{'folder-' if entry.is_dir() else ''}{entry.stat().st_ino}"
        if entry.is_dir():
            kept.write_text("".join(f"{child.stat().st_ino} {child.name}\n" for child in entry.iterdir()))
        else:
            shutil.copyfile(entry, kept)


def listed(listing: Path) -> dict[str, int]:
    """Names and inodes of a folder when it was flushed."""
    lines = listing.read_text().splitlines() if listing.exists() else []
    entries = ((name, int(inode)) for inode, name in (line.split(" ", 1) for line in lines))
    return {name: inode for name, inode in entries if name not in (".", "..")}


def torn(old: bytes, new: bytes, chance: random.Random) -> bytes:
    """What a disk may hold of a file between two flushes."""
    size = len(chance.choice((old, new)))
    parts = []
    for start in range(0, size, SECTOR_BYTES):
        end = min(start + SECTOR_BYTES, size)
        parts.append(chance.choice((old, new))[start:end].ljust(end - start, b"\0"))
    return b"".join(parts)


def torn_names(old: dict[str, int], new: dict[str, int], chance: random.Random) -> dict[str, int]:
    chosen = {name: chance.choice((old, new)).get(name) for name in sorted(old | new)}
    return {name: inode for name, inode in chosen.items() if inode is not None}


def fall_back(path: Path, durable: Path, chance: random.Random | None) -> None:
    """The folder as it is after power came back: as flushed, or with `chance` anything in between."""
    now_at = {entry.stat().st_ino: entry for entry in path.rglob("*")}

    def rebuild(old: Path, new: Path) -> None:
        new.mkdir()
        names = listed(durable / f"folder-{old.stat().st_ino}")
        if chance is not None:
            names = torn_names(names, {child.name: child.stat().st_ino for child in old.iterdir()}, chance)
        for name, inode in names.items():
            # By its inode: the name may have been given to another file since.
            now, flushed = now_at.get(inode), durable / str(inode)
            if now is not None and now.is_dir():
                rebuild(now, new / name)
                continue
            content = flushed.read_bytes() if flushed.exists() else b""  # else a name without content
            if chance is not None and now is not None:
                content = torn(content, now.read_bytes(), chance)
            (new / name).write_bytes(content)

    rebuilt = path.with_name("rebuilt")
    rebuild(path, rebuilt)
    shutil.rmtree(path)
    rebuilt.rename(path)


def main(folder: Path, every: int, most: int, *, power: bool, is_torn: bool) -> None:
    library = ctypes.CDLL(None)
    library.milton_tear(int(is_torn))
    print_ratings()
    template = folder / "template"
    with init_run(template, tiny_settings(**SMALL)) as run:
        assert run_loop(run, run.settings(), iterations=1, console=Console(file=StringIO()))
    num_calls, _ = attempt(library, shutil.copytree(template, folder / "counted"), 0, 0)
    num_refused = num_tried = 0
    broken: list[int] = []
    for which in range(1, num_calls + 1, every):
        if num_tried == most:
            break
        path = shutil.copytree(template, folder / "case" / "run")
        durable = folder / "durable" if power else None
        if durable is not None:
            remember(path, durable)
        _, ended = attempt(library, path, which, ERRORS[which % len(ERRORS)], durable)
        if durable is not None:
            fall_back(path, durable, random.Random(which) if is_torn else None)
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
        shutil.rmtree(path.parent)
    ended = f"{num_refused} ended the loop with a line, {len(broken)} lost anything"
    print(f"{num_tried} of {num_calls} operations failed: {ended}")
    sys.exit(len(broken) > 0)


if __name__ == "__main__":
    options = dict(word.removeprefix("--").split("=") for word in sys.argv[2:])
    main(
        Path(sys.argv[1]),
        int(options.get("every", 1)),
        int(options.get("most", 0)) or -1,
        power="power" in options,
        is_torn="torn" in options,
    )
