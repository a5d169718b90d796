"""The sparse family's tensors and the number grid the core computes with. Torch-free; sole home of both.

The core evaluates this family in int16 fixed point. A checkpoint meant for play therefore holds weights that
already lie on that grid, so that PyTorch and the core see the same numbers.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from milton.games import GameSpec
from milton.nets.sizes import SparseSizes

VALUE_HIDDEN = 32
NUM_OUTCOMES = 3  # win, draw, loss, seen by the side to move

FEATURE_SCALE = 1024
FEATURE_LIMIT = 8.0
# The first layer's sum over any reachable set of features must fit an int16.
ACCUMULATOR_LIMIT = (2**15 - 1) / FEATURE_SCALE
VALUE1_SCALE = 4096
VALUE1_LIMIT = 7.99
POLICY_SCALE = 4096
POLICY_LIMIT = 7.99 / 2  # the core adds the two parts of a move into one int16 row

CLAMP_SEARCH_STEPS = 24

Float32Array = npt.NDArray[np.float32]


def sparse_shapes(spec: GameSpec, sizes: SparseSizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor of a sparse network."""
    return {
        "features.weight": (spec.num_features, sizes.hidden),
        "features.bias": (sizes.hidden,),
        "value1.weight": (VALUE_HIDDEN, sizes.hidden),
        "value1.bias": (VALUE_HIDDEN,),
        "value2.weight": (NUM_OUTCOMES, VALUE_HIDDEN),
        "value2.bias": (NUM_OUTCOMES,),
        "policy.weight": (spec.num_policy_parts, sizes.hidden),
        "policy.bias": (spec.num_policy_parts,),
    }


def snap_to_grid(state: Mapping[str, Float32Array], max_active: int) -> dict[str, Float32Array]:
    """The state with every weight on the core's grid; snapping twice changes nothing.

    `max_active` is the game's bound on active features. Biases after the first layer stay in float.
    """
    snapped = dict(state)
    bias = _round_to(state["features.bias"], FEATURE_SCALE, FEATURE_LIMIT)
    weight = _round_to(state["features.weight"], FEATURE_SCALE, FEATURE_LIMIT)
    snapped["features.bias"] = bias
    snapped["features.weight"] = _fit_accumulator(weight, bias, max_active)
    snapped["value1.weight"] = _round_to(state["value1.weight"], VALUE1_SCALE, VALUE1_LIMIT)
    snapped["policy.weight"] = _round_to(state["policy.weight"], POLICY_SCALE, POLICY_LIMIT)
    return snapped


def _round_to(values: Float32Array, scale: int, limit: float) -> Float32Array:
    largest = np.floor(limit * scale)
    steps = np.clip(np.rint(values * np.float32(scale)), -largest, largest)
    return np.asarray(steps / scale, np.float32)


def _fit_accumulator(weight: Float32Array, bias: Float32Array, max_active: int) -> Float32Array:
    """Clamps the columns whose worst sum would overflow, each by the loosest clamp that fits.

    Trained columns stay far below the bound; this only keeps a freak one from wrapping around in the core.
    """
    columns = np.flatnonzero(_worst_sum(weight, bias, max_active) > ACCUMULATOR_LIMIT)
    if columns.size == 0:
        return weight
    fitted = weight.copy()
    low = np.zeros(columns.size, np.float32)
    high = np.full(columns.size, FEATURE_LIMIT, np.float32)
    for _ in range(CLAMP_SEARCH_STEPS):
        middle = (low + high) / 2
        clamped = np.clip(weight[:, columns], -middle, middle)
        fits = _worst_sum(clamped, bias[columns], max_active) <= ACCUMULATOR_LIMIT
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    limit = np.floor(low * FEATURE_SCALE) / FEATURE_SCALE
    fitted[:, columns] = np.clip(weight[:, columns], -limit, limit)
    return fitted


def _worst_sum(weight: Float32Array, bias: Float32Array, max_active: int) -> Float32Array:
    """Per column, the largest magnitude that `max_active` rows and the bias can add up to.

    Only the final sum counts: int16 partial sums that wrap come back.
    """
    num_active = min(max_active, weight.shape[0])
    highest = np.partition(weight, weight.shape[0] - num_active, axis=0)[-num_active:]
    lowest = np.partition(weight, num_active - 1, axis=0)[:num_active]
    upward = bias + np.maximum(highest, 0).sum(axis=0, dtype=np.float64)
    downward = bias + np.minimum(lowest, 0).sum(axis=0, dtype=np.float64)
    worst: Float32Array = np.maximum(np.abs(upward), np.abs(downward)).astype(np.float32)
    return worst
