"""Time management, simulated: no game is ever lost on time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton.play import Clock, Limits
from milton.play.clock import (
    LARGEST_LAG_S,
    SHORTEST_S,
    Lag,
    budget_for,
    budget_for_clock,
    budget_for_movetime,
)


def play_out(initial_s: float, increment_s: float, num_moves: int, lost_s: float, doubt_every: int) -> float:
    """The least time a clock showed when every move also loses `lost_s` that the engine does not see.

    Every so many moves the choice is in doubt and takes as long as it may.
    """
    remaining = least = initial_s
    for move in range(num_moves):
        budget = budget_for_clock(Clock(remaining, increment_s), 2 * move)
        remaining -= (budget.soft_s if move % doubt_every else budget.hard_s) + lost_s
        least = min(least, remaining)
        remaining += increment_s
    return least


@pytest.mark.parametrize("doubt_every", [1000, 3, 1])
@pytest.mark.parametrize(
    ("initial_s", "increment_s", "num_moves", "lost_s"),
    [
        (60, 0, 120, 0.03),  # 1+0 over a bad connection
        (60, 0, 300, 0.005),
        (60, 0, 200, 0.01),
        (10, 0.1, 400, 0.03),
        (1, 0.01, 300, 0.003),
        (180, 2, 300, 0.05),
        (0.5, 0.1, 300, 0.03),
    ],
)
def test_no_clock_runs_out(initial_s, increment_s, num_moves, lost_s, doubt_every):
    assert play_out(initial_s, increment_s, num_moves, lost_s, doubt_every) > 0


def test_most_of_the_time_is_used_in_a_long_game():
    remaining = 60.0
    for move in range(80):
        remaining -= budget_for_clock(Clock(remaining), 2 * move).soft_s
    assert remaining < 15


clocks = st.builds(
    Clock,
    remaining_s=st.floats(-5, 10_000),
    increment_s=st.floats(0, 60),
    moves_to_go=st.none() | st.integers(1, 100),
)


@settings(deadline=None)  # busy machines
@given(clocks, st.integers(0, 1000), st.floats(0, 1))
def test_a_budget_fits_the_clock(clock, ply, overhead_s):
    budget = budget_for_clock(clock, ply, overhead_s)
    assert SHORTEST_S <= budget.soft_s <= budget.hard_s
    assert budget.hard_s <= max(SHORTEST_S, clock.remaining_s - overhead_s)


@pytest.mark.parametrize("remaining_s", [-1.0, 0.0, 0.01, 0.05])
def test_a_clock_within_the_overhead_is_answered_at_once(remaining_s):
    assert budget_for_clock(Clock(remaining_s), 30).hard_s == SHORTEST_S


def test_the_last_move_before_more_time_may_use_what_is_left():
    assert budget_for_clock(Clock(10, moves_to_go=1), 78).soft_s > 9


def test_an_increment_is_spent():
    with_increment = budget_for_clock(Clock(10, 1), 40).soft_s
    assert with_increment > budget_for_clock(Clock(10), 40).soft_s + 0.5


def test_time_a_move_keeps_the_overhead_but_always_thinks():
    assert budget_for_movetime(0.1, 0.03).hard_s == pytest.approx(0.07)
    assert budget_for_movetime(0.02, 0.03).hard_s == pytest.approx(0.01)


def test_the_tighter_of_two_limits_counts():
    budget = budget_for(Limits(movetime_s=0.2, clock=Clock(600)), 0, 0.0)
    assert budget is not None
    assert budget.hard_s == pytest.approx(0.2)
    assert budget_for(Limits(nodes=5), 0) is None


def test_lag_beyond_the_overhead_is_taken_from_the_increment():
    clock = Clock(0.5, 0.005)
    quiet = budget_for_clock(clock, 40, 0.01, lag_s=0.01)
    assert quiet == budget_for_clock(clock, 40, 0.01)
    busy = budget_for_clock(clock, 40, 0.01, lag_s=0.015)
    assert busy.hard_s < quiet.soft_s / 2
    assert budget_for_clock(Clock(0.1, 0.005), 40, 0.01, lag_s=0.015).hard_s == SHORTEST_S


def test_a_clock_that_loses_more_than_its_increment_lasts_when_the_loss_is_known():
    remaining, lag = 0.5, Lag()
    for move in range(80):
        clock = Clock(remaining, 0.005)
        lag.read(clock, 2 * move)
        soft_s = budget_for_clock(clock, 2 * move, 0.01, lag.seconds).soft_s
        lag.thought(clock, 2 * move, soft_s)
        lost_s = 0.015 if move % 3 == 0 else 0.002  # one move in three waits for its turn
        remaining -= soft_s + lost_s
        assert remaining > 0
        remaining += 0.005


def test_the_next_clock_tells_what_a_move_lost_on_the_way():
    lag = Lag()
    lag.thought(Clock(10.0, 1.0), 4, 0.5)
    lag.read(Clock(10.2, 1.0), 6)
    assert lag.seconds == pytest.approx(0.3)
    lag.read(Clock(1.0, 1.0), 8)
    assert lag.seconds == pytest.approx(0.3), "nothing was thought since"
    lag.thought(Clock(10.0, 1.0), 8, 0.5)
    lag.read(Clock(5.0, 1.0), 4)
    assert lag.seconds == pytest.approx(0.3), "another game"


def test_a_lag_fades_and_has_a_bound():
    lag = Lag()
    lag.saw(1e6)
    assert lag.seconds == LARGEST_LAG_S
    for _ in range(200):
        lag.saw(-1.0)
    assert 0 <= lag.seconds < 0.01
