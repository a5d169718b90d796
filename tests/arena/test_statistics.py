"""Elo and its interval: known figures, symmetry, coverage by simulation, and shut-outs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_matches import simulate_pairs

from milton.arena.results import PairCounts, Results, Score
from milton.arena.statistics import (
    design_effect,
    elo_of_score,
    estimate_elo,
    likelihood_of_superiority,
    score_of_elo,
)
from milton.errors import ArgumentError

counts = st.integers(0, 200)
scores = st.builds(Score, counts, counts, counts).filter(lambda s: s.num_games > 0)
pair_counts = st.builds(PairCounts, *[counts] * 6).filter(lambda p: p.num_pairs > 0)


def test_elo_has_the_textbook_values() -> None:
    assert elo_of_score(0.5) == 0.0
    assert elo_of_score(10 / 11) == pytest.approx(400.0)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo_of_score(1.0) == math.inf
    assert elo_of_score(0.0) == -math.inf
    with pytest.raises(ArgumentError, match=r"1\.2"):
        elo_of_score(1.2)


@given(st.floats(-2000, 2000))
def test_score_and_elo_undo_each_other(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


@given(st.one_of(scores, pair_counts))
def test_the_opponent_sees_the_mirrored_interval(results: Results) -> None:
    mine, theirs = estimate_elo(results), estimate_elo(results.reversed)
    assert mine.low <= mine.elo <= mine.high
    assert (mine.elo, mine.low, mine.high) == pytest.approx((-theirs.elo, -theirs.high, -theirs.low))
    superiority = likelihood_of_superiority(results)
    assert superiority + likelihood_of_superiority(results.reversed) == pytest.approx(1.0)


@given(st.integers(1, 300), st.integers(0, 300), st.integers(1, 300))
def test_one_more_win_never_lowers_elo(wins: int, draws: int, losses: int) -> None:
    better, worse = estimate_elo(Score(wins, draws, losses - 1)), estimate_elo(Score(wins, draws, losses))
    assert better.elo > worse.elo
    assert better.low > worse.low


def test_no_draws_and_many_games_give_the_binomial_error() -> None:
    estimate = estimate_elo(Score(5000, 0, 5000))
    assert estimate.high == pytest.approx(
        1.96 * 0.005 * 4 * 400 / math.log(10), rel=0.01
    )  # slope at 50 % is 4 nats


def test_draws_and_pairs_narrow_the_interval() -> None:
    independent = Score(40, 20, 40)
    with_draws = Score(10, 80, 10)
    decided_by_the_opening = PairCounts(win_loss=40, both_drawn=10)
    assert decided_by_the_opening.games == independent
    assert estimate_elo(with_draws).high < estimate_elo(independent).high
    assert estimate_elo(decided_by_the_opening).high < 0.5 * estimate_elo(independent).high
    assert design_effect(PairCounts(both_won=25, both_lost=25)) > 1.8  # pairs that go together count once


def test_a_shut_out_bounds_one_side_only() -> None:
    estimate = estimate_elo(PairCounts(both_won=50))
    assert estimate.bound == "lower_only"
    assert estimate.high == math.inf
    assert 0.94 < score_of_elo(estimate.low) < 0.975  # between the exact bounds for 50 and for 100 trials
    assert estimate.elo > estimate_elo(PairCounts(both_won=49, win_draw=1)).elo
    assert str(estimate).startswith("above +")
    assert estimate_elo(Score(losses=3)).bound == "upper_only"


def test_few_games_prove_little() -> None:
    assert estimate_elo(PairCounts(both_won=1)).low < 0
    assert estimate_elo(PairCounts(both_drawn=1)).high > 100
    assert likelihood_of_superiority(Score(wins=1)) < 0.85
    assert likelihood_of_superiority(Score()) == 0.5
    assert likelihood_of_superiority(Score(70, 20, 10)) > 0.999


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("num_pairs", "elo"), [(10, 0.0), (50, 60.0), (50, 300.0), (200, -35.0), (50, 700.0)]
)
def test_95_percent_of_the_intervals_hold_the_truth(num_pairs: int, elo: float, paired: bool) -> None:
    num_matches = 400
    points = simulate_pairs(np.random.default_rng(20240229), num_pairs * num_matches, elo).reshape(
        num_matches, num_pairs, 2
    )
    covered = 0
    for match in points:
        pairs = PairCounts.of(map(tuple, match.tolist()))
        estimate = estimate_elo(pairs if paired else pairs.games)
        covered += estimate.low <= elo <= estimate.high
    # Four standard errors of 400 matches below 95 %; games that are not paired only lose sharpness here.
    assert covered / num_matches > 0.95 - 4 * np.sqrt(0.05 * 0.95 / num_matches)
