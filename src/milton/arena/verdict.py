"""What a match says about a candidate, and the file that keeps it (arena.json). Plays no games."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from milton.config import ArenaSettings
from milton.errors import ArgumentError, RunError
from milton.rundir import write_text

from .results import PairCounts, Score
from .sprt import Decision, Sprt, SprtState
from .statistics import EloEstimate, estimate_elo, likelihood_of_superiority

Gate = Literal["threshold", "sprt", "none"]

# Below this share of games that differ, repeated games pretend to be evidence.
_FEW_DISTINCT = 0.8


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class StoredPairs(_Stored):
    """The six counts of PairCounts under the same names."""

    both_won: int = Field(ge=0)
    win_draw: int = Field(ge=0)
    win_loss: int = Field(ge=0)
    both_drawn: int = Field(ge=0)
    draw_loss: int = Field(ge=0)
    both_lost: int = Field(ge=0)


class StoredElo(_Stored):
    """EloEstimate; an end that the results do not bound is null."""

    elo: float
    low: float | None
    high: float | None

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if (self.low is not None and self.low > self.elo) or (self.high is not None and self.high < self.elo):
            raise ValueError(f"the interval {self.low!r} to {self.high!r} does not hold {self.elo!r}")
        return self


class StoredSprt(_Stored):
    """SprtState under the same names."""

    llr: float
    lower: float
    upper: float
    decision: Decision


class Verdict(_Stored):
    """The outcome of candidate against champion, all figures seen by the candidate."""

    version: Literal[1] = 1  # of the file
    candidate: str = Field(min_length=1)
    champion: str = Field(min_length=1)
    promoted: bool
    gate: Gate
    reason: str = Field(min_length=1)
    pairs: StoredPairs
    num_distinct_games: int = Field(ge=0)
    elo: StoredElo | None  # None without games
    superiority: float = Field(ge=0.0, le=1.0)  # probability that the candidate is the stronger one
    threshold: float | None = Field(default=None, ge=0.0, le=1.0)  # of gate "threshold"
    sprt: StoredSprt | None = None  # of gate "sprt"

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.num_distinct_games > self.pair_counts.num_games:
            raise ValueError(
                f"{self.num_distinct_games} distinct games out of {self.pair_counts.num_games} in all"
            )
        for name in ("threshold", "sprt"):
            if (getattr(self, name) is not None) != (self.gate == name):
                raise ValueError(
                    f"{name} belongs to gate {name!r} and to no other, the gate is {self.gate!r}"
                )
        return self

    @property
    def pair_counts(self) -> PairCounts:
        return PairCounts(**self.pairs.model_dump())

    @property
    def games(self) -> Score:
        return self.pair_counts.games

    @property
    def estimate(self) -> EloEstimate | None:
        """Elo with its 95 % interval; None without games."""
        return estimate_elo(self.pair_counts) if self.elo else None

    def to_json(self) -> str:
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str, place: str = "arena.json") -> Self:
        """Refuses whatever this version could not have written, naming field and place."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "the whole"
            raise RunError(f"{place}: {field}: {first['msg']}, got {first['input']!r:.200}") from error

    def save(self, path: Path) -> None:
        write_text(path, self.to_json())

    @classmethod
    def load(cls, path: Path) -> Self:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"cannot read the verdict {str(path)!r}: {error}") from error
        return cls.from_json(text, str(path))


def sprt_of(settings: ArenaSettings) -> Sprt:
    return Sprt(settings.sprt_elo0, settings.sprt_elo1, settings.sprt_alpha, settings.sprt_beta)


def may_stop(settings: ArenaSettings, pairs: PairCounts) -> bool:
    """Whether the gate has decided before all games are played. Ask after every pair or batch of pairs."""
    return settings.gate == "sprt" and sprt_of(settings).judge(pairs).decision != "continue"


def decide(
    settings: ArenaSettings,
    pairs: PairCounts,
    *,
    num_distinct_games: int | None = None,
    candidate: str = "candidate",
    champion: str = "champion",
) -> Verdict:
    """Judges a match that is over. `num_distinct_games` None means that all games differ."""
    if settings.gate != "none" and not pairs.num_pairs:
        raise ArgumentError(f"gate {settings.gate!r} cannot judge {candidate!r} without games")
    distinct = pairs.num_games if num_distinct_games is None else num_distinct_games
    state = sprt_of(settings).judge(pairs) if settings.gate == "sprt" else None
    promoted, reason = _apply_gate(settings, pairs, state)
    return Verdict(
        candidate=candidate,
        champion=champion,
        promoted=promoted,
        gate=settings.gate,
        reason=reason + _repetition_warning(distinct, pairs.num_games),
        pairs=StoredPairs(**asdict(pairs)),
        num_distinct_games=distinct,
        elo=_stored_elo(pairs),
        superiority=likelihood_of_superiority(pairs),
        threshold=settings.promotion_threshold if settings.gate == "threshold" else None,
        sprt=StoredSprt(**asdict(state)) if state else None,
    )


def _apply_gate(settings: ArenaSettings, pairs: PairCounts, state: SprtState | None) -> tuple[bool, str]:
    if state:
        return _apply_sprt(settings, pairs, state)
    if settings.gate == "none":
        return True, "no gate: every candidate is promoted"
    promoted = pairs.score >= settings.promotion_threshold
    relation = "reaches" if promoted else "stays below"
    return promoted, f"score {pairs.score:.4g} {relation} the threshold {settings.promotion_threshold:g}"


def _apply_sprt(settings: ArenaSettings, pairs: PairCounts, state: SprtState) -> tuple[bool, str]:
    hypotheses = f"Elo {settings.sprt_elo1:g} against {settings.sprt_elo0:g}"
    ratio = f"LLR {state.llr:.2f} in [{state.lower:.2f}, {state.upper:.2f}]"
    if state.decision != "continue":
        return state.decision == "accept", f"the test of {hypotheses} {state.decision}s: {ratio}"
    # To promote here would break the promise of alpha: an undecided candidate has proven nothing.
    reason = f"the test of {hypotheses} is undecided after {pairs.num_games} games: {ratio}"
    fewest = 2 * sprt_of(settings).fewest_pairs_to_accept()
    if pairs.num_games < fewest:
        reason += f"; it needs at least {fewest} games to accept anybody (arena.games, arena.sprt_elo1)"
    return False, reason


def _repetition_warning(num_distinct: int, num_games: int) -> str:
    if num_distinct >= _FEW_DISTINCT * num_games:
        return ""
    return f"; only {num_distinct} of {num_games} games differ, so the interval is too narrow"


def _stored_elo(pairs: PairCounts) -> StoredElo | None:
    if not pairs.num_pairs:
        return None
    estimate = estimate_elo(pairs)
    return StoredElo(
        elo=estimate.elo,
        low=estimate.low if math.isfinite(estimate.low) else None,
        high=estimate.high if math.isfinite(estimate.high) else None,
    )
