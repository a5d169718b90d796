"""When resigning is allowed: only after enough games were played out, and never above what is set."""

from types import SimpleNamespace

import numpy as np
import pytest

from milton.config import SelfPlaySettings
from milton.selfplay import NEVER, ResignCalibration
from milton.selfplay.resign import lowest_value_of_survivors

ENABLED = SelfPlaySettings(resign_enabled=True, resign_threshold=-0.9, resign_false_rate=0.05)


def games(lowest, winners, played_out=None):
    """What calibration looks at of finished games."""
    count = len(winners)
    return SimpleNamespace(
        block=SimpleNamespace(winners=np.array(winners, np.int8)),
        lowest_values=np.array(lowest, np.float32),
        was_played_out=np.ones(count, bool) if played_out is None else np.array(played_out, bool),
    )


def calibration(lowest_of_winner, settings=ENABLED) -> ResignCalibration:
    made = ResignCalibration(settings)
    made.add(games([(value, -1.0) for value in lowest_of_winner], [0] * len(lowest_of_winner)))
    return made


def test_only_sides_that_did_not_lose_count():
    played = games([(-0.9, -0.2), (-0.3, -0.8), (-0.5, -0.6)], [0, 1, -1])
    assert lowest_value_of_survivors(played).tolist() == pytest.approx([-0.9, -0.8, -0.6])


def test_games_that_could_be_resigned_teach_nothing():
    played = games([(-0.9, 0.0), (-0.4, 0.0)], [0, 0], played_out=[False, True])
    assert lowest_value_of_survivors(played).tolist() == pytest.approx([-0.4])


def test_nobody_resigns_before_enough_games_were_played_out():
    assert calibration([-0.1] * 49).threshold == NEVER
    assert calibration([-0.1] * 50).threshold > NEVER


def test_nobody_resigns_when_it_is_off():
    off = SelfPlaySettings(resign_enabled=False)
    assert calibration([-0.1] * 500, off).threshold == NEVER


def test_the_set_threshold_caps_what_is_learnt():
    assert calibration([0.5] * 200).threshold == pytest.approx(-0.9)


def test_saved_games_lower_the_threshold():
    values = np.concatenate([np.full(20, -0.99), np.full(180, 0.3)])
    assert calibration(values.tolist()).threshold == pytest.approx(-0.99)


@pytest.mark.parametrize("seed", range(5))
def test_no_more_than_the_allowed_share_would_have_been_resigned_wrongly(seed):
    values = np.random.default_rng(seed).uniform(-1.0, 0.2, 137).astype(np.float32)
    loose = SelfPlaySettings(resign_enabled=True, resign_threshold=0.0, resign_false_rate=0.05)
    threshold = calibration(values.tolist(), loose).threshold
    assert (values < threshold).mean() <= 0.05
    assert (values < threshold + 0.05).mean() > 0.05


def test_what_was_learnt_survives_a_restart_and_old_games_are_forgotten():
    first = calibration(np.linspace(-0.99, 0.0, 400).tolist())
    second = ResignCalibration(ENABLED)
    second.restore(first.state())
    assert second.threshold == first.threshold
    second.add(games([(0.4, -1.0)] * 1000, [0] * 1000))
    assert second.num_games == 1000
    assert second.threshold == pytest.approx(-0.9)
