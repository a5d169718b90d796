"""Ratings of a run's networks on the scale of published figures, in a file beside the run's database.

The database belongs to the loop, which may be running during a rating match.
"""

import json
import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from milton.errors import RunError
from milton.system import SAFE_OPEN, wait_for_lock

from .atomic import explain_os_error, write_text
from .rows import read_json

_NAME = "anchored.jsonl"  # a line for every rating, oldest first
_LOCK_NAME = ".anchored.lock"  # held while a line is added: a loop and a person may measure at once
_MOST_BYTES = 4 * 2**20  # some twenty thousand ratings; a longer file is not one of ours
_ITERATION = re.compile(r"iter_([0-9]{4,9})")
_MOST_GAMES = 10**9
_MOST_ELO = 1e6


@dataclass(frozen=True, slots=True)
class AnchoredRating:
    network: str  # its file, relative to the run folder
    elo: float
    low: float  # 95 % interval
    high: float
    pool: str
    time_control: str
    num_games: int
    rated_s: float  # seconds since 1970

    @property
    def iteration(self) -> int | None:
        """That the network is of; None for one that was trained apart from the iterations."""
        found = _ITERATION.fullmatch(Path(self.network).parent.name)
        return int(found[1]) if found else None


def add_anchored_rating(run: Path, rating: AnchoredRating) -> None:
    """The same games rated again, such as a match that was resumed, replace the line before."""
    with _locked(run / _LOCK_NAME):
        known = anchored_ratings(run)
        conditions = (rating.network, rating.pool, rating.time_control)
        if known and (known[-1].network, known[-1].pool, known[-1].time_control) == conditions:
            known = known[:-1]
        write_text(run / _NAME, "".join(f"{json.dumps(asdict(each))}\n" for each in (*known, rating)))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Waits for others; the file stays, like that of the run's own lock."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | SAFE_OPEN, 0o644)
    except OSError as error:
        raise explain_os_error(error, path) from error
    try:
        wait_for_lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def anchored_ratings(run: Path) -> tuple[AnchoredRating, ...]:
    """Oldest first; lines that cannot be read are left out."""
    path = run / _NAME
    try:
        lines = _read_start(path).splitlines() if path.is_file() else []
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from error
    return tuple(rating for line in lines if (rating := _read(line)) is not None)


def _read_start(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


def _read(line: str) -> AnchoredRating | None:
    try:
        found = read_json(line)
        elo, low, high = (float(found[name]) for name in ("elo", "low", "high"))
        network, pool, time_control = (str(found[name]) for name in ("network", "pool", "time_control"))
        num_games, rated_s = int(found["num_games"]), float(found["rated_s"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    # Where all games are won or lost, one end of the interval is infinite.
    is_rating = -_MOST_ELO <= elo <= _MOST_ELO and low <= elo <= high and math.isfinite(rated_s)
    if not (is_rating and 0 <= num_games <= _MOST_GAMES):
        return None
    return AnchoredRating(network, elo, low, high, pool, time_control, num_games, rated_s)
