"""Elo from the results of one match, with its 95 % interval. Knows no gate and no pool of players.

Elo here is logistic: score = 1 / (1 + 10^(−Elo / 400)), draws count half. The interval is Wilson's (1927) for
the score, widened or narrowed by the *design effect*: how much larger the variance of the results is than
that of independent games without draws. Draws make it smaller, and so do openings that favour one colour
once their two games are counted as a pair. See docs/arena.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from milton.errors import ArgumentError

from .results import Results, Score

ELO_PER_NAT = 400.0 / math.log(10.0)  # Elo of one unit of log odds
CONFIDENCE = 0.95

Z_TWO_SIDED = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
_Z_ONE_SIDED = NormalDist().inv_cdf(CONFIDENCE)
# Points that a shut-out counts as dropped: half of the smallest amount that could have been dropped.
_SHUT_OUT_POINTS = 0.25

# 97.5 % points of Student's t for 1 to 10 degrees of freedom.
_T_TWO_SIDED = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)

Bound = Literal["two_sided", "lower_only", "upper_only"]


def elo_of_score(score: float) -> float:
    """Elo difference at which `score` is expected; ±infinity at 1 and 0."""
    if not 0.0 <= score <= 1.0:
        raise ArgumentError(f"a score must lie between 0 and 1, got {score!r}")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_NAT * math.log(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """Expected score of a player who is `elo` stronger."""
    # The hyperbolic tangent cannot overflow, unlike a power of ten.
    return 0.5 + 0.5 * math.tanh(0.5 * elo / ELO_PER_NAT)


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """An Elo difference with its 95 % interval, seen by the candidate.

    After a shut-out the data bound Elo on one side only: `bound` says so, the other end is infinite, and
    `elo` is what dropping a quarter of a point would have given.
    """

    elo: float
    low: float
    high: float
    bound: Bound = "two_sided"

    def __str__(self) -> str:
        if self.bound == "lower_only":
            return f"above {self.low:+.0f} Elo"
        if self.bound == "upper_only":
            return f"below {self.high:+.0f} Elo"
        return f"{self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}] Elo"


def estimate_elo(results: Results) -> EloEstimate:
    """Elo of the match with its 95 % interval (one-sided after a shut-out)."""
    score = results.score
    num_effective = results.num_games / design_effect(results)
    if score in (0.0, 1.0):
        margin = _SHUT_OUT_POINTS / results.num_games
        worst = num_effective / (num_effective + _Z_ONE_SIDED**2)
        if score == 1.0:
            return EloEstimate(elo_of_score(1.0 - margin), elo_of_score(worst), math.inf, "lower_only")
        return EloEstimate(elo_of_score(margin), -math.inf, elo_of_score(1.0 - worst), "upper_only")
    low, high = _wilson_interval(score, num_effective)
    return EloEstimate(elo_of_score(score), elo_of_score(low), elo_of_score(high))


def likelihood_of_superiority(results: Results) -> float:
    """Probability that the candidate is the stronger player, the true score being taken as normal."""
    if not results.num_games:
        return 0.5
    mean, variance = _regularised_moments(results)
    return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / results.num_games))


def design_effect(results: Results) -> float:
    """Variance of one game's result over that of a game without draws and pairs at the same score."""
    mean, variance = _regularised_moments(results)
    return variance / (mean * (1.0 - mean))


def interval_over(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean of independent repetitions with its 95 % interval by Student's t; at least two values."""
    if len(values) < 2:
        raise ArgumentError(f"an interval over repetitions needs at least two, got {len(values)}")
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    margin = _t_two_sided(len(values) - 1) * math.sqrt(variance / len(values))
    return mean, mean - margin, mean + margin


def _t_two_sided(freedom: int) -> float:
    """The 97.5 % point of Student's t; beyond the table by the first terms of its expansion."""
    if freedom <= len(_T_TWO_SIDED):
        return _T_TWO_SIDED[freedom - 1]
    z = Z_TWO_SIDED
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def _regularised_moments(results: Results) -> tuple[float, float]:
    """Mean and variance of a game's score, with one imaginary game (or pair) spread over all results.

    Without it a handful of equal results would claim to be exact. The variance of a pair's mean is doubled,
    so that both models speak of one game.
    """
    if isinstance(results, Score):
        counts: tuple[int, ...] = (results.losses, results.draws, results.wins)
        games_in_unit = 1
    else:
        counts, games_in_unit = results.pentanomial, 2
    best = len(counts) - 1
    weights = [count + 1.0 / len(counts) for count in counts]
    total = sum(weights)
    mean = sum(w * i / best for i, w in enumerate(weights)) / total
    variance = sum(w * (i / best - mean) ** 2 for i, w in enumerate(weights)) / total
    return mean, variance * games_in_unit


def _wilson_interval(score: float, num_effective: float) -> tuple[float, float]:
    shrink = Z_TWO_SIDED**2 / num_effective
    centre = (score + shrink / 2) / (1.0 + shrink)
    half = math.sqrt(score * (1.0 - score) * shrink + shrink**2 / 4) / (1.0 + shrink)
    return centre - half, centre + half
