"""How much is learnt and how fast, in plain numbers."""

import pytest

from milton.config import TrainSettings
from milton.training import fresh_plan, learning_rate, make_plan, value_blend


def plan(train: TrainSettings, *, num_new=10_000, num_window=50_000, num_ever=100_000, rate_factor=1.0):
    return make_plan(
        train,
        num_new=num_new,
        num_window=num_window,
        num_ever=num_ever,
        seed=5,
        rate_factor=rate_factor,
    )


def test_steps_follow_from_new_positions():
    train = TrainSettings(batch_size=1000, uses_per_position=3.0)
    assert plan(train).num_steps == 30
    assert plan(train, num_window=10**6).num_steps == 30
    assert plan(train, num_new=20_000).num_steps == 60
    assert plan(train).uses_per_position == pytest.approx(3.0)


def test_epochs_follow_from_the_window():
    train = TrainSettings(batch_size=1000, uses_per_position=0, epochs_per_iter=10)
    assert plan(train).num_steps == 500
    assert plan(train, num_window=50_001).num_steps == 501
    assert plan(train).uses_per_position == pytest.approx(50.0)


def test_a_set_number_of_steps_is_taken_as_it_is():
    train = TrainSettings(batch_size=128, uses_per_position=0, steps_per_iter=100)
    assert plan(train).num_steps == 100
    assert plan(train, num_new=1).num_steps == 100


def test_there_is_always_a_step_to_take():
    assert plan(TrainSettings(uses_per_position=0.001), num_new=1, num_window=1).num_steps == 1


def test_the_learning_rate_is_held_then_falls_to_its_final_value():
    train = TrainSettings(
        learning_rate=1e-3,
        learning_rate_final=2e-4,
        learning_rate_hold_positions=1000,
        learning_rate_decay_positions=2000,
    )
    rates = [learning_rate(train, ever) for ever in (0, 1000, 2000, 3000, 10**9)]
    assert rates == pytest.approx([1e-3, 1e-3, 6e-4, 2e-4, 2e-4])
    cosine = train.model_copy(update={"learning_rate_schedule": "cosine"})
    assert learning_rate(cosine, 2000) == pytest.approx(6e-4)
    assert learning_rate(cosine, 1500) > learning_rate(train, 1500)
    constant = train.model_copy(update={"learning_rate_schedule": "constant"})
    assert learning_rate(constant, 10**9) == 1e-3


def test_a_factor_after_a_bad_loss_lowers_the_rate():
    assert plan(TrainSettings(), rate_factor=0.25).learning_rate == pytest.approx(2.5e-4)


def test_the_search_gets_its_say_in_the_value_target_step_by_step():
    blend = TrainSettings(value_target="blend", value_blend_final=0.5, value_blend_positions=1000)
    assert [value_blend(blend, ever) for ever in (0, 500, 1000, 5000)] == pytest.approx([0, 0.25, 0.5, 0.5])
    at_once = blend.model_copy(update={"value_blend_positions": 0})
    assert value_blend(at_once, 0) == 0.5
    assert value_blend(TrainSettings(value_target="terminal"), 10**9) == 0.0
    assert value_blend(TrainSettings(value_target="mcts"), 0) == 1.0


def test_a_stage_keeps_its_rate():
    kept = plan(TrainSettings(batch_size=1000))
    assert {kept.rate_at(step) for step in range(kept.num_steps)} == {kept.learning_rate}


def test_a_fresh_start_passes_over_the_whole_window_with_steps_that_end_at_nothing():
    train = TrainSettings(batch_size=1000, fresh_passes=2.0, learning_rate=1e-3)
    fresh = fresh_plan(train, num_window=50_000, num_ever=10**9, seed=5, rate_factor=0.5)
    assert fresh.num_steps == 100
    rates = [fresh.rate_at(step) for step in range(100)]
    assert rates[:30] == [5e-4] * 30
    assert rates == sorted(rates, reverse=True)
    assert 0.0 < rates[-1] < 5e-6
