"""The sequential test keeps its promised error rates, and its ratio is a maximum likelihood."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from simulated_matches import simulate_pairs

from milton.arena.results import PairCounts
from milton.arena.sprt import Sprt
from milton.arena.statistics import score_of_elo
from milton.errors import ArgumentError

counts = st.integers(1, 400)
pair_counts = st.builds(PairCounts, counts, counts, counts, counts, counts, counts)


def tilted_likelihood(counts: NDArray[np.float64], score: float) -> float:
    """Largest log likelihood under a mean, by projected Newton steps on the probabilities themselves."""
    values = np.linspace(0.0, 1.0, 5)
    constraints = np.stack([np.ones(5), values])
    shares = counts / counts.sum()
    # A strictly positive start with the right mean: two points mixed with little of everything.
    corner = (score - 0.05) / 0.9
    probabilities = np.full(5, 0.02) + 0.9 * np.array([1 - corner, 0, 0, 0, corner])
    for _ in range(200):
        gradient, curvature = shares / probabilities, probabilities**2 / shares
        weighted = constraints * curvature
        multipliers = np.linalg.solve(weighted @ constraints.T, weighted @ gradient)
        step = curvature * (gradient - constraints.T @ multipliers)
        length = min(1.0, 0.5 / max(1e-300, float(np.max(-step / probabilities))))
        probabilities = probabilities + length * step
    return float(counts @ np.log(probabilities))


@settings(deadline=None, max_examples=50)  # the direct way is slow
@given(pair_counts, st.floats(-100, 100), st.floats(1, 100))
def test_llr_agrees_with_a_direct_maximisation(pairs: PairCounts, elo0: float, width: float) -> None:
    sprt = Sprt(elo0, elo0 + width)
    observed = np.array(pairs.pentanomial, dtype=np.float64)
    expected = tilted_likelihood(observed, score_of_elo(sprt.elo1)) - tilted_likelihood(
        observed, score_of_elo(sprt.elo0)
    )
    assert sprt.llr(pairs) == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_llr_nears_the_normal_approximation_for_small_differences() -> None:
    pairs = PairCounts(both_won=100, win_draw=210, win_loss=300, both_drawn=100, draw_loss=200, both_lost=90)
    values = np.repeat(np.linspace(0, 1, 5), pairs.pentanomial)
    score0, score1 = score_of_elo(0.0), score_of_elo(5.0)
    expected = len(values) * (score1 - score0) * (values.mean() - (score0 + score1) / 2) / values.var()
    assert Sprt(0.0, 5.0).llr(pairs) == pytest.approx(expected, rel=0.02)


@given(pair_counts, st.floats(1, 60))
def test_reversing_sides_and_hypotheses_reverses_the_ratio(pairs: PairCounts, width: float) -> None:
    assert Sprt(0.0, width).llr(pairs) == pytest.approx(-Sprt(-width, 0.0).llr(pairs.reversed), abs=1e-6)


def test_bounds_are_walds_and_nothing_is_decided_early() -> None:
    sprt = Sprt(0.0, 20.0)
    assert (sprt.lower, sprt.upper) == pytest.approx((-math.log(19), math.log(19)))
    assert sprt.judge(PairCounts()).decision == "continue"
    for pair in (PairCounts(both_won=1), PairCounts(both_lost=1), PairCounts(both_drawn=1)):
        assert sprt.judge(pair).decision == "continue"
    assert sprt.judge(PairCounts(both_won=200)).decision == "accept"
    assert sprt.judge(PairCounts(both_lost=200)).decision == "reject"
    assert sprt.judge(PairCounts(both_drawn=400)).decision == "reject"


def test_the_shortest_way_to_accept_is_a_shut_out() -> None:
    sprt = Sprt(0.0, 20.0)
    fewest = sprt.fewest_pairs_to_accept()
    assert sprt.judge(PairCounts(both_won=fewest)).decision == "accept"
    assert sprt.judge(PairCounts(both_won=fewest - 2)).decision == "continue"


def test_extreme_hypotheses_stay_finite() -> None:
    assert math.isfinite(Sprt(-1000.0, 1000.0).llr(PairCounts(both_won=1000)))


def test_impossible_tests_are_refused() -> None:
    with pytest.raises(ArgumentError, match="elo0 must be below elo1"):
        Sprt(5.0, 5.0)
    with pytest.raises(ArgumentError, match=r"alpha must lie between 0 and 0.5, got 0\.7"):
        Sprt(0.0, 5.0, alpha=0.7)


def run_test(sprt: Sprt, points: NDArray[np.float64]) -> str:
    """Decision of one sequential test, looked at after every second pair."""
    pairs = PairCounts()
    for start in range(0, len(points), 2):
        pairs += PairCounts.of(map(tuple, points[start : start + 2].tolist()))
        decision = sprt.judge(pairs).decision
        if decision != "continue":
            return decision
    return "continue"


@pytest.mark.parametrize(("true_elo", "wrong"), [(0.0, "accept"), (80.0, "reject")])
def test_error_rates_hold(true_elo: float, wrong: str) -> None:
    sprt = Sprt(0.0, 80.0, alpha=0.1, beta=0.1)
    num_tests, most_pairs = 400, 600
    points = simulate_pairs(np.random.default_rng(20240229), num_tests * most_pairs, true_elo).reshape(
        num_tests, most_pairs, 2
    )
    decisions = [run_test(sprt, match) for match in points]
    assert decisions.count("continue") == 0
    # Three standard errors above the promise; and the test is not so shy that it means nothing.
    assert decisions.count(wrong) / num_tests < 0.1 + 3 * math.sqrt(0.1 * 0.9 / num_tests)
    assert decisions.count(wrong) > 4


def test_normalised_hypotheses_are_scores_in_standard_deviations() -> None:
    pairs = PairCounts(both_won=100, win_draw=210, win_loss=300, both_drawn=100, draw_loss=200, both_lost=90)
    values = np.repeat(np.linspace(0, 1, 5), pairs.pentanomial)
    deviation = math.sqrt(2) * float(values.std())  # of one game
    elo1 = 5.0
    score1 = 0.5 + elo1 / (800 / math.log(10)) * deviation
    expected = len(values) * (score1 - 0.5) * (values.mean() - (0.5 + score1) / 2) / values.var()
    assert Sprt(0.0, elo1, model="normalised").llr(pairs) == pytest.approx(expected, rel=0.02)


def test_normalised_hypotheses_stay_within_what_games_can_score() -> None:
    assert math.isfinite(Sprt(-900.0, 900.0, model="normalised").llr(PairCounts(both_won=3, both_lost=3)))
