"""What runs and matches of an experiment came to. Counts nothing over seeds."""

from dataclasses import dataclass

from milton.arena import EloEstimate, PairCounts, estimate_elo


@dataclass(frozen=True, slots=True)
class RunResult:
    """One arm learnt once."""

    arm: str
    seed: int
    processor_s: float
    iterations: int = 0
    positions: int = 0
    promotions: int = 0
    done: bool = False


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of an arm's network against another one's of the same seed, or against a stranger."""

    arm: str
    opponent: str
    seed: int
    counts: PairCounts
    is_stranger: bool = False

    @property
    def estimate(self) -> EloEstimate | None:
        """None if no pair counted."""
        return estimate_elo(self.counts) if self.counts.num_pairs else None
