"""Whether a group of positions loses more than the others, honestly counted. Knows only arrays.

Positions of one game are not independent, so the game is the unit: the variance of the difference of two
means is the sum over games of their squared influence (the cluster-robust sandwich of Liang and Zeger, 1986).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The variance by clusters is only good with many of them.
MIN_CLUSTERS = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean inside a group minus mean outside."""

    mean_inside: float
    difference: float
    error: float  # standard error of the difference
    num_inside: int
    num_clusters: int  # games that the group comes from

    @property
    def z(self) -> float:
        return self.difference / self.error if self.error > 0.0 else 0.0

    @property
    def p_value(self) -> float:
        """Of a z this large or larger if nothing were different; one-sided."""
        return 0.5 * math.erfc(self.z / math.sqrt(2.0))

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval of the difference."""
        return self.difference - 1.96 * self.error


def compare_means(
    values: NDArray[np.floating], is_inside: NDArray[np.bool_], clusters: NDArray[np.int64], num_clusters: int
) -> Difference:
    """`clusters` [N] says which game a value is from. An empty group, or one of everything, differs by 0."""
    num_inside = int(is_inside.sum())
    num_outside = len(values) - num_inside
    if min(num_inside, num_outside) == 0 or num_clusters < 2:
        return Difference(0.0, 0.0, 0.0, num_inside, 0)
    total_inside = float(values[is_inside].sum())
    inside = total_inside / num_inside
    outside = (float(values.sum()) - total_inside) / num_outside
    influence = np.where(is_inside, (values - inside) / num_inside, (outside - values) / num_outside)
    by_cluster = np.bincount(clusters, weights=influence, minlength=num_clusters)
    variance = float(by_cluster @ by_cluster) * num_clusters / (num_clusters - 1)
    num_of_group = int(np.count_nonzero(np.bincount(clusters[is_inside], minlength=num_clusters)))
    return Difference(inside, inside - outside, math.sqrt(variance), num_inside, num_of_group)


def q_values(p_values: NDArray[np.floating]) -> NDArray[np.floating]:
    """Benjamini and Hochberg's adjusted p-values: the false discovery rate that accepting each would mean."""
    num_tests = len(p_values)
    order = np.argsort(p_values)
    scaled = p_values[order] * num_tests / np.arange(1, num_tests + 1)
    adjusted = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    out: NDArray[np.floating] = np.empty(num_tests)
    out[order] = adjusted
    return out
