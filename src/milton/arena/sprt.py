"""A sequential test that may stop a match early. Knows counts of pairs, not who played.

The generalised sequential probability ratio test (Li, Liu and Ying 2014) on pentanomial counts, as Fishtest
has it: the likelihoods of both hypotheses are maximised over all distributions of pair results that have
the hypothesis' expected score (Van den Bergh). Elo is logistic, so the hypotheses mean what
`statistics` means, or normalised: a score in units of a game's standard deviation, so that a test takes as
long whatever the share of draws is. Bounds are Wald's (1945).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from milton.errors import ArgumentError

from .results import PairCounts
from .statistics import ELO_PER_NAT, score_of_elo

Decision = Literal["accept", "reject", "continue"]
EloModel = Literal["logistic", "normalised"]

# A result that has not been seen yet counts as this many pairs: its probability is small, not zero.
_UNSEEN_PAIRS = 1e-3
_LEAST_SCORE = 1e-3  # keeps normalised hypotheses within what games can score
_PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a test stands: "accept" says the candidate is worth elo1, "reject" that it is worth elo0."""

    llr: float  # log likelihood ratio, positive in favour of elo1
    lower: float
    upper: float
    decision: Decision


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of `elo1` against `elo0`.

    `alpha` is the probability of accepting a candidate worth elo0, `beta` that of rejecting one worth elo1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = "logistic"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ArgumentError(f"elo0 must be below elo1, got {self.elo0!r} and {self.elo1!r}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < rate < 0.5:
                raise ArgumentError(f"{name} must lie between 0 and 0.5, got {rate!r}")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1.0 - self.beta) / self.alpha)

    def judge(self, pairs: PairCounts) -> SprtState:
        """State of the test after these pairs. Once it has decided, later pairs must not be asked about."""
        llr = self.llr(pairs)
        decision: Decision = "continue"
        if llr >= self.upper:
            decision = "accept"
        elif llr <= self.lower:
            decision = "reject"
        return SprtState(llr, self.lower, self.upper, decision)

    def fewest_pairs_to_accept(self) -> int:
        """Pairs that a candidate who wins every game needs. A shorter match can only reject."""
        return math.ceil(self.upper / math.log(score_of_elo(self.elo1) / score_of_elo(self.elo0)))

    def llr(self, pairs: PairCounts) -> float:
        """Log likelihood ratio of elo1 against elo0; 0 without pairs."""
        if not pairs.num_pairs:
            return 0.0
        counts = [float(count) or _UNSEEN_PAIRS for count in pairs.pentanomial]
        total = sum(counts)
        shares = [count / total for count in counts]
        log_likelihood0 = _log_likelihood_factor(shares, self._score(self.elo0, shares))
        log_likelihood1 = _log_likelihood_factor(shares, self._score(self.elo1, shares))
        return total * (log_likelihood1 - log_likelihood0)

    def _score(self, elo: float, shares: Sequence[float]) -> float:
        """Expected score of a hypothesis; of normalised Elo by the standard deviation that was observed."""
        if self.model == "logistic":
            return score_of_elo(elo)
        mean = sum(p * value for p, value in zip(shares, _PAIR_SCORES, strict=True))
        variance = sum(p * (value - mean) ** 2 for p, value in zip(shares, _PAIR_SCORES, strict=True))
        # The variance of a game is twice that of a pair's mean; its root is 2 ELO_PER_NAT normalised Elo.
        score = 0.5 + elo / (2.0 * ELO_PER_NAT) * math.sqrt(2.0 * variance)
        return min(max(score, _LEAST_SCORE), 1.0 - _LEAST_SCORE)


def _log_likelihood_factor(shares: Sequence[float], score: float) -> float:
    """Largest mean log likelihood of distributions with mean `score`, relative to that of `shares` itself.

    The maximum is share_i / (1 + x (a_i − score)), with x the root of a decreasing function (Owen's empirical
    likelihood), found by bisection between its two poles.
    """
    offsets = [value - score for value in _PAIR_SCORES]
    low, high = -1.0 / offsets[-1], -1.0 / offsets[0]
    while True:
        x = 0.5 * (low + high)
        if not low < x < high or high - low < 1e-12:
            break
        slope = sum(p * d / (1.0 + x * d) for p, d in zip(shares, offsets, strict=True))
        low, high = (x, high) if slope > 0.0 else (low, x)
    return -sum(p * math.log1p(x * d) for p, d in zip(shares, offsets, strict=True))
