"""The statistics tell differences from chance, with games as the unit."""

import numpy as np
import pytest

from milton.coach.statistics import compare_means, q_values


def test_benjamini_hochberg_on_their_own_example():
    # Benjamini and Hochberg 1995, section 3.2: four of fifteen hypotheses are rejected at 0.05.
    p_values = np.array(
        [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
         0.6528, 0.7590, 1.0000]
    )  # fmt: skip
    adjusted = q_values(p_values[::-1])[::-1]
    assert (adjusted <= 0.05).sum() == 4
    assert adjusted[0] == pytest.approx(0.0015)
    assert (np.diff(adjusted) >= 0).all()


def test_independent_values_give_the_usual_standard_error():
    random = np.random.default_rng(1)
    values, is_inside = random.normal(size=5000), random.random(5000) < 0.3
    values[is_inside] += 0.5
    found = compare_means(values, is_inside, np.arange(5000), 5000)
    inside, outside = values[is_inside], values[~is_inside]
    welch = np.sqrt(inside.var() / len(inside) + outside.var() / len(outside))
    assert found.difference == pytest.approx(inside.mean() - outside.mean())
    assert found.error == pytest.approx(welch, rel=0.01)
    assert found.p_value < 1e-20


def test_positions_of_one_game_do_not_count_as_independent():
    random = np.random.default_rng(2)
    num_games, length = 60, 50
    games = np.repeat(np.arange(num_games), length)
    values = np.repeat(random.normal(size=num_games), length)  # all of a game alike
    is_inside = np.repeat(np.arange(num_games) % 2 == 0, length)
    clustered = compare_means(values, is_inside, games, num_games)
    naive = compare_means(values, is_inside, np.arange(len(values)), len(values))
    assert clustered.error > 5 * naive.error


def test_false_alarms_are_as_rare_as_promised():
    random = np.random.default_rng(3)
    alarms = 0
    for _ in range(400):
        games = np.repeat(np.arange(40), 25)
        values = random.normal(size=1000) + np.repeat(random.normal(size=40), 25)
        found = compare_means(values, random.random(1000) < 0.2, games, 40)
        alarms += found.p_value < 0.05
    assert 5 <= alarms <= 40  # 20 expected


def test_a_group_of_nothing_or_everything_differs_by_nothing():
    values = np.ones(4)
    for is_inside in (np.zeros(4, bool), np.ones(4, bool)):
        assert compare_means(values, is_inside, np.arange(4), 4).z == 0.0
