"""Elo of a whole pool of players from all their games at once. Knows no engines and plays no games.

The model is Bradley–Terry (Zermelo 1929) on the scale of `statistics`: draws count half a win, the ratings
maximise the likelihood of all points (as Ordo does). Every player gets a little of a draw for free against
those it met, so that one who won or lost everything keeps a finite rating. Intervals come from the curvature
of the likelihood, corrected by each meeting's design effect (White 1982): draws and pairs make a result
surer than the model thinks. Shifting all anchors shifts all ratings; only differences mean anything.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.errors import ArgumentError

from .pool import Meeting, Pool, check_connected
from .results import Score
from .statistics import ELO_PER_NAT, Z_TWO_SIDED, EloEstimate

FloatArray = NDArray[np.float64]

# Games of the free draw: makes a shut-out against one opponent count as a quarter of a point dropped, like
# the shut-outs of `statistics`.
PRIOR_GAMES = 0.5

_MAX_STEPS = 200
_TOLERANCE = 1e-9  # nats; far below a hundredth of an Elo
_LONGEST_STEP = 3.0  # nats between two who met; longer steps leave the region that the curvature describes


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's Elo. The interval is relative to the anchors or, without any, to the mean of the pool."""

    player: str
    elo: float
    low: float  # 95 % interval
    high: float
    score: Score  # all games of the player
    anchored: bool  # fixed, hence without error

    @property
    def shut_out(self) -> bool:
        """All games were won or all lost: the free draw alone keeps the rating finite."""
        return self.score.score in (0.0, 1.0)


@dataclass(frozen=True)
class RatingTable:
    """Ratings of a pool, best first."""

    ratings: tuple[Rating, ...]
    covariance: FloatArray  # [N, N] in Elo², in the order of `ratings`

    def __getitem__(self, player: str) -> Rating:
        return self.ratings[self._index(player)]

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(rating.player for rating in self.ratings)

    def difference(self, player: str, opponent: str) -> EloEstimate:
        """How much stronger `player` is than `opponent`; surer than two separate intervals suggest."""
        first, second = self._index(player), self._index(opponent)
        elo = self.ratings[first].elo - self.ratings[second].elo
        weights = np.zeros(len(self.ratings))
        weights[first] += 1.0
        weights[second] -= 1.0
        margin = Z_TWO_SIDED * math.sqrt(max(0.0, float(weights @ self.covariance @ weights)))
        return EloEstimate(elo, elo - margin, elo + margin)

    def _index(self, player: str) -> int:
        if player not in self.players:
            raise ArgumentError(f"no player {player!r} among the rated {list(self.players)!r}")
        return self.players.index(player)


def fit_ratings(
    meetings: Sequence[Meeting], anchors: Mapping[str, float] | None = None, prior_games: float = PRIOR_GAMES
) -> RatingTable:
    """Ratings that make all results most likely, anchors keeping theirs; without anchors the mean is 0."""
    anchors = anchors or {}
    if prior_games <= 0.0:
        raise ArgumentError(f"prior_games must be above 0, got {prior_games!r}")
    pool = Pool.of(meetings)
    check_connected(pool, anchors)
    fit = _Fit(pool, anchors, prior_games)
    fit.maximise()
    return _tabulate(pool, anchors, fit)


class _Fit:
    """Newton's method on a concave likelihood, in nats. `theta` holds the ratings of all players."""

    def __init__(self, pool: Pool, anchors: Mapping[str, float], prior_games: float) -> None:
        self.pool = pool
        prior = prior_games * pool.share_of_each_meeting()
        self.games = pool.num_games + prior
        self.points = pool.points + 0.5 * prior
        self.free = np.array([player not in anchors for player in pool.players])
        self.theta = np.array([anchors.get(player, 0.0) / ELO_PER_NAT for player in pool.players])
        if anchors:
            # Newcomers start among the anchors, not at a zero that may be thousands away.
            self.theta[self.free] = self.theta[~self.free].mean()

    def maximise(self) -> None:
        for _ in range(_MAX_STEPS):
            step = self._newton_step()
            longest = float(np.max(np.abs(step[self.pool.first] - step[self.pool.second])))
            if longest < _TOLERANCE or not self._climb(step * min(1.0, _LONGEST_STEP / longest)):
                return
        raise ArgumentError(f"no ratings found after {_MAX_STEPS} steps; are the anchors on another scale?")

    def covariance(self) -> FloatArray:
        """Of the free ratings, in nats²: curvature⁻¹ · variance of the points · curvature⁻¹."""
        inverse = np.linalg.inv(self._gauged(self._laplacian(self._information())))
        spread = self._laplacian(self._information() * self.pool.design_effects)
        free_spread = spread[np.ix_(self.free, self.free)]
        return np.asarray(inverse @ free_spread @ inverse)

    def _newton_step(self) -> FloatArray:
        surplus = self.points - self.games * self._expected()
        gradient = np.zeros(len(self.theta))
        np.add.at(gradient, self.pool.first, surplus)
        np.add.at(gradient, self.pool.second, -surplus)
        curvature = self._gauged(self._laplacian(self._information()))
        step = np.zeros(len(self.theta))
        step[self.free] = np.linalg.solve(curvature, gradient[self.free])
        return step

    def _climb(self, step: FloatArray) -> bool:
        """Goes the step, halved until the likelihood rises; False if rounding hides any further rise."""
        start, before = self.theta, self._log_likelihood()
        while float(np.max(np.abs(step))) > _TOLERANCE:
            self.theta = start + step
            if self._log_likelihood() > before:
                return True
            step = step / 2
        self.theta = start
        return False

    def _difference(self) -> FloatArray:
        return np.asarray(self.theta[self.pool.first] - self.theta[self.pool.second])

    def _expected(self) -> FloatArray:
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * self._difference()))

    def _log_likelihood(self) -> float:
        difference = self._difference()
        return float(np.sum(self.points * difference - self.games * np.logaddexp(0.0, difference)))

    def _information(self) -> FloatArray:
        expected = self._expected()
        # Kept above zero: at a distance of thousands of Elo it would vanish and leave nothing to solve.
        return np.asarray(np.maximum(self.games * expected * (1.0 - expected), 1e-12))

    def _laplacian(self, weights: FloatArray) -> FloatArray:
        matrix = np.zeros((len(self.theta), len(self.theta)))
        first, second = self.pool.first, self.pool.second
        np.add.at(matrix, (first, first), weights)
        np.add.at(matrix, (second, second), weights)
        np.add.at(matrix, (first, second), -weights)
        np.add.at(matrix, (second, first), -weights)
        return matrix

    def _gauged(self, laplacian: FloatArray) -> FloatArray:
        """The free players' part; without anchors the common shift is tied to a mean of zero."""
        if self.free.all():
            return np.asarray(laplacian + 1.0 / len(self.theta))
        return np.asarray(laplacian[np.ix_(self.free, self.free)])


def _tabulate(pool: Pool, anchors: Mapping[str, float], fit: _Fit) -> RatingTable:
    covariance = np.zeros((len(pool.players), len(pool.players)))
    covariance[np.ix_(fit.free, fit.free)] = fit.covariance() * ELO_PER_NAT**2
    margins = Z_TWO_SIDED * np.sqrt(np.maximum(0.0, np.diag(covariance)))
    elos = [anchors.get(p, ELO_PER_NAT * float(t)) for p, t in zip(pool.players, fit.theta, strict=True)]
    order = sorted(range(len(elos)), key=lambda i: (-elos[i], pool.players[i]))
    ratings = tuple(
        Rating(
            player=pool.players[i],
            elo=elos[i],
            low=elos[i] - float(margins[i]),
            high=elos[i] + float(margins[i]),
            score=pool.total(pool.players[i]),
            anchored=pool.players[i] in anchors,
        )
        for i in order
    )
    return RatingTable(ratings, covariance[np.ix_(order, order)])
