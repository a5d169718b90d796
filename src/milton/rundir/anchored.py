"""Ratings of a run's networks on the scale of published figures, in a file beside the run's database.

The database belongs to the loop, which may be at work while somebody measures.
"""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from milton.errors import RunError

from .atomic import write_text

_NAME = "anchored.jsonl"  # a line for every rating, oldest first
_MOST_GAMES = 10**9


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
        name = Path(self.network).parent.name.removeprefix("iter_")
        return int(name) if name.isdecimal() else None


def add_anchored_rating(run: Path, rating: AnchoredRating) -> None:
    """The same games rated again, such as a match that was resumed, replace the line before."""
    known = anchored_ratings(run)
    conditions = (rating.network, rating.pool, rating.time_control)
    if known and (known[-1].network, known[-1].pool, known[-1].time_control) == conditions:
        known = known[:-1]
    write_text(run / _NAME, "".join(f"{json.dumps(asdict(each))}\n" for each in (*known, rating)))


def anchored_ratings(run: Path) -> tuple[AnchoredRating, ...]:
    """Oldest first; lines that cannot be read are left out."""
    path = run / _NAME
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from error
    return tuple(rating for line in lines if (rating := _read(line)) is not None)


def _read(line: str) -> AnchoredRating | None:
    try:
        found = json.loads(line)
        elo, low, high = (float(found[name]) for name in ("elo", "low", "high"))
        network, pool, time_control = (str(found[name]) for name in ("network", "pool", "time_control"))
        num_games, rated_s = int(found["num_games"]), float(found["rated_s"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    # Where all games are won or lost, one end of the interval is infinite.
    is_rating = math.isfinite(elo) and low <= elo <= high and math.isfinite(rated_s)
    if not (is_rating and 0 <= num_games <= _MOST_GAMES):
        return None
    return AnchoredRating(network, elo, low, high, pool, time_control, num_games, rated_s)
