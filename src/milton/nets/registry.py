"""Network families by name. A family's module, and torch with it, is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from milton.errors import CheckpointError
from milton.extras import needed_for
from milton.games import GameSpec
from milton.nets.description import NetDescription
from milton.nets.safetensors_file import TensorEntry
from milton.nets.sizes import SparseSizes
from milton.nets.sparse_grid import sparse_shapes

if TYPE_CHECKING:
    import torch
    from torch import nn

SizesT = TypeVar("SizesT", contravariant=True)


class Family(Protocol[SizesT]):
    """One kind of network. `build` draws random weights from torch's global generator."""

    @property
    def name(self) -> str: ...

    def build(self, spec: GameSpec, encoder: str, sizes: SizesT) -> nn.Module: ...


@dataclass(frozen=True, slots=True)
class TensorLayout:
    dtype: str  # as safetensors names it
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"


def family_of(description: NetDescription) -> Family[Any]:
    with needed_for(f"a network of the family {description.family!r}"):
        module = importlib.import_module(f"milton.nets.{description.family}")
    family: Family[Any] = module.FAMILY
    return family


def build_net(description: NetDescription, *, seed: int | None = None) -> nn.Module:
    """A network with fresh weights; `seed` makes them reproducible without touching the global generator."""
    family = family_of(description)
    import torch

    if seed is None:
        return family.build(description.spec, description.encoder, description.sizes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return family.build(description.spec, description.encoder, description.sizes)


def layout_of(description: NetDescription) -> dict[str, TensorLayout]:
    """Name, dtype and shape of every tensor of a network, with nothing allocated.

    Torch-free for the sparse family; the dense ones are built on torch's meta device.
    """
    if isinstance(description.sizes, SparseSizes):
        shapes = sparse_shapes(description.spec, description.encoder, description.sizes)
        return {name: TensorLayout("F32", shape) for name, shape in shapes.items()}
    family_of(description)  # says which extra is missing if torch is
    import torch

    with torch.device("meta"):
        state = build_net(description).state_dict()
    return {
        name: TensorLayout(_dtype_name(tensor.dtype), tuple(tensor.shape)) for name, tensor in state.items()
    }


def check_layout(
    tensors: Mapping[str, TensorEntry], expected: Mapping[str, TensorLayout], where: str
) -> None:
    """Raises CheckpointError for a tensor that is missing, unexpected, or of another dtype or shape."""
    for name, layout in expected.items():
        entry = tensors.get(name)
        if entry is None:
            raise CheckpointError(f"{where}: tensor {name!r}: expected {layout}, which is missing")
        if (entry.dtype, entry.shape) != (layout.dtype, layout.shape):
            found = TensorLayout(entry.dtype, entry.shape)
            raise CheckpointError(f"{where}: tensor {name!r}: expected {layout}, got {found}")
    for name in tensors.keys() - expected.keys():
        raise CheckpointError(f"{where}: tensor {name[:80]!r} does not belong to this network")


def _dtype_name(dtype: torch.dtype) -> str:
    import torch

    return {torch.float32: "F32", torch.float64: "F64", torch.int64: "I64", torch.uint8: "U8"}[dtype]
