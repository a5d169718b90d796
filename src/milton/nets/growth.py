"""Makes a sparse network wider, or lets it read more features, without changing its outputs. Trains nothing.

New hidden units read the input like those of a fresh network, but their outgoing weights are zero. Weights
from new features to old units are zero, too. So every output stays the same to the last bit until training
uses what is new.
"""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from milton.errors import ArgumentError
from milton.nets.description import NetDescription
from milton.nets.registry import build_net
from milton.nets.sizes import SparseSizes
from milton.nets.sparse_grid import sparse_shapes
from milton.nets.training_state import Moments, TrainingState


def can_grow(found: NetDescription, wanted: NetDescription) -> bool:
    """Whether `wanted` is the same network with more hidden units, more features to read, or both."""
    if not (isinstance(found.sizes, SparseSizes) and isinstance(wanted.sizes, SparseSizes)):
        return False
    if found.game != wanted.game or found == wanted:
        return False
    known, read = found.feature_groups(), wanted.feature_groups()
    return read[: len(known)] == known and wanted.sizes.hidden >= found.sizes.hidden


def grow_state(state: TrainingState, wanted: NetDescription, seed: int) -> TrainingState:
    """The training state of a larger network; what is new has no moments yet."""
    new_units = _fresh_units(wanted, seed)
    return replace(
        state,
        description=wanted,
        model=grow_weights(state.model, state.description, wanted, seed),
        average=_widen(state.average, new_units) if state.average else {},
        optimiser=_widen_moments(state.optimiser, wanted),
    )


def grow_weights(
    weights: Mapping[str, Tensor], found: NetDescription, wanted: NetDescription, seed: int
) -> dict[str, Tensor]:
    """The weights with more units or features; the outputs are exactly the same."""
    if not can_grow(found, wanted):
        raise ArgumentError(
            f"expected a sparse network with fewer units or features than {wanted}, got {found}"
        )
    return _widen(weights, _fresh_units(wanted, seed))


def _fresh_units(wanted: NetDescription, seed: int) -> dict[str, Tensor]:
    """A fresh network whose hidden units have no effect on the outputs."""
    fresh = dict(build_net(wanted, seed=seed).state_dict())
    for name in ("value1.weight", "policy.weight"):
        fresh[name] = torch.zeros_like(fresh[name])
    return fresh


def _widen(weights: Mapping[str, Tensor], wide: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Every tensor laid over the corner of its wider namesake; tables of contexts may be new, and zero."""
    widened = {name: tensor.clone() for name, tensor in wide.items() if name not in weights}
    for name, tensor in weights.items():
        widened[name] = wide[name].clone()
        if name == "features.weight":
            widened[name][:, : tensor.shape[1]] = 0.0
        widened[name][tuple(slice(size) for size in tensor.shape)] = tensor
    return widened


def _widen_moments(moments: Moments, wanted: NetDescription) -> Moments:
    assert isinstance(wanted.sizes, SparseSizes)
    shapes = sparse_shapes(wanted.spec, wanted.encoder, wanted.sizes)
    return {
        name: {
            key: tensor
            if tensor.dim() == 0
            else _widen({name: tensor}, {name: torch.zeros(shapes[name])})[name]
            for key, tensor in tensors.items()
        }
        for name, tensors in moments.items()
    }
