"""The sparse family's tensors and the number grid the core computes with. Torch-free.

The core evaluates this family in int16 fixed point. A checkpoint meant for play therefore holds weights that
already lie on that grid, so that PyTorch and the core see the same numbers.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from milton import _core
from milton.games import FeatureGroup, GameSpec
from milton.nets.safetensors_file import Array
from milton.nets.sizes import SparseSizes

VALUE_HIDDEN = _core.SPARSE_VALUE_HIDDEN
NUM_OUTCOMES = 3  # win, draw, loss, seen by the side to move

# The grid of core/nets/sparse_net.h, which refuses weights that do not fit it.
INT16_MAX = 2**15 - 1
FEATURE_SCALE = _core.SPARSE_FEATURE_SCALE
WEIGHT_SCALE = _core.SPARSE_WEIGHT_SCALE  # of value1 and policy
HIDDEN_SCALE = _core.SPARSE_HIDDEN_SCALE  # of the hidden layer after its activation
FEATURE_LIMIT = 8.0
# What an int16 holds of the first layer's sums; beyond it the core's sums saturate.
ACCUMULATOR_LIMIT = INT16_MAX / FEATURE_SCALE
# What the strongest rows that could be active together may add up to. Four times what fits, because no
# position has them all: in games sums stay below 5 where this bound stands at 50, and a bound of 32 cut half
# of a chess network's units down (docs/experiments.md, "An hour with relations").
WORST_SUM_LIMIT = 4 * ACCUMULATOR_LIMIT
VALUE1_LIMIT = INT16_MAX / WEIGHT_SCALE
# What the absolute weights of a row may add up to, so that its product with the hidden layer fits an int32.
ROW_LIMIT = _core.SPARSE_MAX_ROW_WEIGHT
# Tensors that lie on the grid, with the steps of a unit; a checkpoint for play stores them as int16.
GRID_SCALES = {
    "features.weight": FEATURE_SCALE,
    "features.bias": FEATURE_SCALE,
    "value1.weight": WEIGHT_SCALE,
    "policy.weight": WEIGHT_SCALE,
    "contexts.weight": WEIGHT_SCALE,
}
# The core adds the two parts of a move into one row.
POLICY_LIMIT = VALUE1_LIMIT / 2
POLICY_ROW_LIMIT = ROW_LIMIT / 2
# And the rows of a move's contexts.
NUM_MOVE_CONTEXTS = _core.SPARSE_MOVE_CONTEXTS
CONTEXT_LIMIT = VALUE1_LIMIT / NUM_MOVE_CONTEXTS
CONTEXT_ROW_LIMIT = ROW_LIMIT / NUM_MOVE_CONTEXTS

CLAMP_SEARCH_STEPS = 24

Float32Array = npt.NDArray[np.float32]
Float64Array = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]


def context_width(hidden: int) -> int:
    """How many hidden units the contexts of moves read."""
    return _core.sparse_context_width(hidden)


def sparse_shapes(spec: GameSpec, encoder: str, sizes: SparseSizes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor of a sparse network."""
    view = spec.sparse_encoder(encoder)
    shapes = {
        "features.weight": (view.num_features, sizes.hidden),
        "features.bias": (sizes.hidden,),
        "value1.weight": (VALUE_HIDDEN, sizes.hidden),
        "value1.bias": (VALUE_HIDDEN,),
        "value2.weight": (NUM_OUTCOMES, VALUE_HIDDEN),
        "value2.bias": (NUM_OUTCOMES,),
        "policy.weight": (spec.num_policy_parts, sizes.hidden),
        "policy.bias": (spec.num_policy_parts,),
    }
    if view.num_contexts:
        shapes["contexts.weight"] = (view.num_contexts, context_width(sizes.hidden))
        shapes["contexts.bias"] = (view.num_contexts,)
    return shapes


def snap_to_grid(
    state: Mapping[str, Float32Array], groups: Sequence[FeatureGroup]
) -> dict[str, Float32Array]:
    """The state with every weight on the core's grid; snapping twice changes nothing.

    `groups` are what the encoder reads. Biases after the first layer stay in float.
    """
    bias = _round_to(state["features.bias"], FEATURE_SCALE, FEATURE_LIMIT)
    features = _round_to(state["features.weight"], FEATURE_SCALE, FEATURE_LIMIT)
    value1 = _round_to(state["value1.weight"], WEIGHT_SCALE, VALUE1_LIMIT)
    policy = _round_to(state["policy.weight"], WEIGHT_SCALE, POLICY_LIMIT)

    def worst_accumulator(columns: Float32Array, indices: IndexArray) -> Float64Array:
        return _worst_sum(columns, bias[indices], groups)

    snapped = {
        **state,
        "features.bias": bias,
        "features.weight": _clamp_columns(features, worst_accumulator, WORST_SUM_LIMIT, FEATURE_SCALE),
        "value1.weight": _clamp_columns(value1.T, _absolute_sum, ROW_LIMIT, WEIGHT_SCALE).T,
        "policy.weight": _clamp_columns(policy.T, _absolute_sum, POLICY_ROW_LIMIT, WEIGHT_SCALE).T,
    }
    if "contexts.weight" in state:
        contexts = _round_to(state["contexts.weight"], WEIGHT_SCALE, CONTEXT_LIMIT)
        clamped = _clamp_columns(contexts.T, _absolute_sum, CONTEXT_ROW_LIMIT, WEIGHT_SCALE)
        snapped["contexts.weight"] = clamped.T
    return snapped


def to_steps(state: Mapping[str, Array]) -> dict[str, Array]:
    """A snapped state with the tensors of the grid as int16 steps, half the size; nothing is lost."""
    return {
        name: np.rint(array * GRID_SCALES[name]).astype(np.int16) if name in GRID_SCALES else array
        for name, array in state.items()
    }


def from_steps(state: Mapping[str, Array]) -> dict[str, Array]:
    """The snapped state that `to_steps` was given."""
    return {
        name: array.astype(np.float32) / np.float32(GRID_SCALES[name]) if name in GRID_SCALES else array
        for name, array in state.items()
    }


def _round_to(values: Float32Array, scale: int, limit: float) -> Float32Array:
    largest = np.floor(limit * scale)
    steps = np.clip(np.rint(values * np.float32(scale)), -largest, largest)
    return np.asarray(steps / scale + 0.0, np.float32)  # + 0.0: a zero has no sign


def _clamp_columns(
    weight: Float32Array,
    size_of: Callable[[Float32Array, IndexArray], Float64Array],
    limit: float,
    scale: int,
) -> Float32Array:
    """Clamps the columns whose size is above the limit, each by the loosest clamp on the grid that fits.

    Trained columns stay far below their limits; this keeps a freak one from overflowing in the core.
    """
    columns = np.flatnonzero(size_of(weight, np.arange(weight.shape[1])) > limit)
    if columns.size == 0:
        return weight
    oversized = weight[:, columns]
    low = np.zeros(columns.size, np.float32)
    high = np.abs(oversized).max(axis=0)
    for _ in range(CLAMP_SEARCH_STEPS):
        middle = (low + high) / 2
        fits = size_of(np.clip(oversized, -middle, middle), columns) <= limit
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    loosest = np.floor(low * scale) / scale
    clamped = weight.copy()
    clamped[:, columns] = np.clip(oversized, -loosest, loosest)
    return clamped


def _absolute_sum(columns: Float32Array, _: IndexArray) -> Float64Array:
    return np.asarray(np.abs(columns).sum(axis=0, dtype=np.float64))


def _worst_sum(columns: Float32Array, bias: Float32Array, groups: Sequence[FeatureGroup]) -> Float64Array:
    """Per column, the largest magnitude that the bias and as many rows as can be active reach on the way.

    A row that is active twice counts once here.
    """
    upward = bias.astype(np.float64)
    downward = bias.astype(np.float64)
    start = 0
    for group in groups:
        rows = columns[start : start + group.num_features]
        start += group.num_features
        num_active = min(group.max_active, len(rows))
        upward += np.maximum(np.partition(rows, -num_active, axis=0)[-num_active:], 0).sum(axis=0)
        downward += np.minimum(np.partition(rows, num_active - 1, axis=0)[:num_active], 0).sum(axis=0)
    return np.asarray(np.maximum(np.abs(upward), np.abs(downward)))
