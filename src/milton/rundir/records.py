"""The rows of run.sqlite as frozen values. Times are seconds since 1970."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .champion import ChampionPointer

EventLevel = Literal["info", "warning", "alarm", "error"]

# Kinds of ratings that the ladder writes: one match, and the rating that follows from all of them.
LADDER_MATCH_KIND = "ladder_match"
LADDER_KIND = "ladder"
ARENA_KIND = "arena"  # a candidate against the champion
# Not over the first champion as all others, but on the scale of published ratings.
MILESTONE_KIND = "milestone"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that a finished stage stands for."""

    path: str  # relative to the run folder, with forward slashes
    sha256: str
    num_bytes: int


@dataclass(frozen=True, slots=True)
class StageRecord:
    """A stage that is done. Its row is written after all its files."""

    iteration: int
    stage: str  # "selfplay", "train", "arena", …: the loop's words
    started_s: float
    finished_s: float
    artifacts: tuple[Artifact, ...] = ()
    result: Mapping[str, Any] = field(default_factory=dict)  # JSON, whatever the stage wants to remember


@dataclass(frozen=True, slots=True)
class MetricRecord:
    iteration: int
    name: str  # "train/policy_loss", "selfplay/draw_rate", …
    value: float
    time_s: float


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """The result of one match, or an Elo over a whole pool (`opponent` then names the pool)."""

    iteration: int
    kind: str  # "arena", "ladder", "baseline", …
    player: str
    opponent: str
    wins: int
    draws: int
    losses: int
    elo: float
    elo_low: float  # 95 % interval
    elo_high: float
    time_s: float = 0.0

    @property
    def num_games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + 0.5 * self.draws) / max(1, self.num_games)

    @property
    def elo_interval(self) -> str:
        """For people: "+56 [+7, +105]", after a shut-out "above +600"."""
        if not math.isfinite(self.elo_high):
            return f"above {self.elo_low:+.0f}"
        if not math.isfinite(self.elo_low):
            return f"below {self.elo_high:+.0f}"
        return f"{self.elo:+.0f} [{self.elo_low:+.0f}, {self.elo_high:+.0f}]"


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Something a person should know: a promotion, an alarm and what was done, a quarantined file."""

    iteration: int
    level: EventLevel
    kind: str  # "promotion", "draw_rate", "quarantine", …
    message: str
    action: str = ""
    time_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GamesRecord:
    """The games of one stage in figures."""

    iteration: int
    kind: str  # "selfplay", "arena", "ladder"
    num_games: int
    num_positions: int
    first_wins: int
    draws: int
    second_wins: int
    num_distinct: int
    end_reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def draw_rate(self) -> float:
        return self.draws / max(1, self.num_games)

    @property
    def mean_plies(self) -> float:
        return self.num_positions / max(1, self.num_games)


@dataclass(frozen=True, slots=True)
class ChampionRecord:
    """A promotion, kept so that a damaged champion can be replaced by its predecessor."""

    iteration: int
    checkpoint: str
    sha256: str
    time_s: float = 0.0

    @property
    def short_name(self) -> str:
        """As in shards and in the rows of matches."""
        return ChampionPointer(self.checkpoint, self.sha256).short_name
