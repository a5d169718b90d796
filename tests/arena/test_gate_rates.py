"""How often a gate promotes a candidate of known strength (docs/experiments/2026-11-gate.md)."""

import numpy as np
import pytest
from simulated_matches import simulate_pairs

from milton.arena import PairCounts, Sprt

NUM_MATCHES = 1_000


def simulated_matches(num_games: int, elo: float) -> list[list[tuple[float, float]]]:
    random = np.random.default_rng(1)
    points = simulate_pairs(random, NUM_MATCHES * num_games // 2, elo)
    return [list(map(tuple, match.tolist())) for match in points.reshape(NUM_MATCHES, num_games // 2, 2)]


# The simulated openings favour a colour, which makes pairs vary a little less than those of the page.
@pytest.mark.parametrize(
    ("num_games", "elo", "share"), [(60, 0, 0.23), (60, 60, 0.74), (200, 0, 0.07), (200, 60, 0.88)]
)
def test_a_threshold_promotes_as_often_as_the_page_says(num_games, elo, share):
    promoted = [PairCounts.of(match).score >= 0.55 for match in simulated_matches(num_games, elo)]
    assert np.mean(promoted) == pytest.approx(share, abs=0.05)


def test_a_sequential_test_hardly_ever_promotes_an_equal_candidate():
    test, promoted = Sprt(0, 60), 0
    for match in simulated_matches(100, 0):
        looks = (test.judge(PairCounts.of(match[:num_pairs])) for num_pairs in range(10, 51, 10))
        decision = next((look.decision for look in looks if look.decision != "continue"), "continue")
        promoted += decision == "accept"
    assert promoted / NUM_MATCHES < 0.05
