from dataclasses import replace

import numpy as np
import pytest

from milton.nets.presets import preset
from milton.nets.registry import layout_of
from milton.nets.sparse_grid import (
    FEATURE_LIMIT,
    FEATURE_SCALE,
    ROW_LIMIT,
    WEIGHT_SCALE,
    WORST_SUM_LIMIT,
    snap_to_grid,
)

DESCRIPTION = preset("connect-four-sparse")
GROUPS = DESCRIPTION.feature_groups()
MAX_ACTIVE = sum(group.max_active for group in GROUPS)
SCALES = {
    "features.weight": FEATURE_SCALE,
    "features.bias": FEATURE_SCALE,
    "value1.weight": WEIGHT_SCALE,
    "policy.weight": WEIGHT_SCALE,
}


def random_state(spread: float) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    layout = layout_of(DESCRIPTION)
    return {name: rng.normal(0, spread, entry.shape).astype(np.float32) for name, entry in layout.items()}


@pytest.mark.parametrize("spread", [0.05, 1.0, 30.0])
def test_snapped_weights_are_whole_numbers_of_int16(spread: float) -> None:
    snapped = snap_to_grid(random_state(spread), GROUPS)
    for name, scale in SCALES.items():
        steps = snapped[name] * scale
        assert np.array_equal(steps, np.rint(steps)), name
        assert np.abs(steps).max() < 2**15, name


def test_snapping_moves_ordinary_weights_by_half_a_step_at_most() -> None:
    state = random_state(0.05)
    snapped = snap_to_grid(state, GROUPS)
    for name, scale in SCALES.items():
        assert np.abs(snapped[name] - state[name]).max() <= 0.5 / scale + 1e-7, name


@pytest.mark.parametrize("spread", [0.05, 30.0])
def test_snapping_twice_changes_nothing(spread: float) -> None:
    once = snap_to_grid(random_state(spread), GROUPS)
    twice = snap_to_grid(once, GROUPS)
    for name, values in once.items():
        assert np.array_equal(values, twice[name]), name


def test_the_strongest_rows_together_stay_within_their_bound() -> None:
    snapped = snap_to_grid(random_state(30.0), GROUPS)
    ordered = np.sort(snapped["features.weight"], axis=0)
    highest = snapped["features.bias"] + ordered[-MAX_ACTIVE:].sum(axis=0)
    lowest = snapped["features.bias"] + ordered[:MAX_ACTIVE].sum(axis=0)
    assert highest.max() <= WORST_SUM_LIMIT
    assert lowest.min() >= -WORST_SUM_LIMIT


def test_only_overflowing_columns_are_clamped_further() -> None:
    state = random_state(0.05)
    state["features.weight"][:, 0], state["features.bias"][0] = FEATURE_LIMIT, 0
    snapped = snap_to_grid(state, GROUPS)["features.weight"]
    assert snapped[:, 0].max() <= WORST_SUM_LIMIT / MAX_ACTIVE
    assert np.abs(snapped[:, 1:] - state["features.weight"][:, 1:]).max() <= 0.5 / FEATURE_SCALE + 1e-7


def test_two_policy_parts_add_up_within_the_limits_of_a_row() -> None:
    policy = snap_to_grid(random_state(30.0), GROUPS)["policy.weight"]
    assert 2 * np.abs(policy).max() * WEIGHT_SCALE < 2**15
    assert 2 * np.abs(policy).sum(axis=1, dtype=np.float64).max() <= ROW_LIMIT


def test_value_rows_stay_within_their_limit() -> None:
    value1 = snap_to_grid(random_state(30.0), GROUPS)["value1.weight"]
    assert ROW_LIMIT * 0.99 < np.abs(value1).sum(axis=1, dtype=np.float64).max() <= ROW_LIMIT


def test_each_group_of_features_has_its_own_bound() -> None:
    """Chess adds attacked squares and captures to pieces; a unit may use all that each of them leaves."""
    chess = replace(preset("chess-sparse"), encoder="sparse-captures")
    pieces, *later = chess.feature_groups()
    max_active = pieces.max_active + sum(group.max_active for group in later)
    state = {name: np.zeros(entry.shape, np.float32) for name, entry in layout_of(chess).items()}
    state["features.weight"][:, 0] = WORST_SUM_LIMIT / max_active * 0.99
    state["features.weight"][: pieces.num_features, 1] = WORST_SUM_LIMIT / pieces.max_active * 0.99
    state["features.weight"][:, 2] = WORST_SUM_LIMIT / pieces.max_active
    snapped = snap_to_grid(state, chess.feature_groups())["features.weight"]
    assert np.abs(snapped[:, :2] - state["features.weight"][:, :2]).max() <= 0.5 / FEATURE_SCALE
    assert snapped[:, 2].max() * max_active <= WORST_SUM_LIMIT
