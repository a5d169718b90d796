"""Which positions a training step sees: reproducible, weighted, hold-out never among them."""

import numpy as np
from numpy.typing import NDArray

from milton.errors import ShardError

from .columns import WindowColumns


def is_holdout(game_ids: NDArray[np.uint64], fraction: float) -> NDArray[np.bool_]:
    """Whether games belong to the hold-out: a matter of their id alone, so it never changes."""
    # SplitMix64's finaliser: ids are often consecutive, the split must not be.
    mixed = game_ids + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53 < fraction


class Sampler:
    """Draws indices into one state of a window. The same seed draws the same indices."""

    def __init__(self, columns: WindowColumns) -> None:
        self._candidates: NDArray[np.int64] = np.flatnonzero(~columns.is_holdout)
        weights = columns.weights[self._candidates]
        self._is_uniform = bool((weights == 1.0).all())
        self._weights = weights
        self._cumulative = np.empty(0) if self._is_uniform else np.cumsum(weights, dtype=np.float64)

    def draw(self, count: int, seed: int) -> NDArray[np.int64]:
        """`count` positions with replacement, each in proportion to its weight."""
        if len(self._candidates) == 0:
            raise ShardError("the window holds no position to train on; play some games first")
        random = np.random.default_rng(seed)
        if self._is_uniform:
            return self._candidates[random.integers(0, len(self._candidates), count)]
        points = random.random(count) * self._cumulative[-1]
        chosen: NDArray[np.int64] = np.searchsorted(self._cumulative, points, side="right")
        return self._candidates[np.minimum(chosen, len(self._candidates) - 1)]

    def epoch(self, seed: int) -> NDArray[np.int64]:
        """Every position once, in random order; one of weight w on average w times."""
        random = np.random.default_rng(seed)
        if self._is_uniform:
            return random.permutation(self._candidates)
        times = np.floor(self._weights + random.random(len(self._weights))).astype(np.int64)
        return random.permutation(np.repeat(self._candidates, times))
