"""What a trainer needs to resume exactly, as a safetensors file. Knows no optimiser settings.

Weights, averages and moments are kept in full precision; numbers and random generators bit for bit.
"""

import json
import math
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from torch import Tensor, nn

from milton.errors import CheckpointError
from milton.nets.checkpoint import to_arrays, to_tensors
from milton.nets.description import NetDescription, field_of
from milton.nets.registry import TensorLayout, check_layout, layout_of
from milton.nets.safetensors_file import Array, SafetensorsReader, TensorEntry, check_finite, write_file

SEPARATOR = "/"
SECTIONS = ("model", "average", "optimiser", "random")
Moments = dict[str, dict[str, Tensor]]  # by parameter, then by the optimiser's own name, such as exp_avg


@dataclass(frozen=True, slots=True)
class TrainingState:
    description: NetDescription
    model: dict[str, Tensor]
    average: dict[str, Tensor] = field(default_factory=dict)  # moving average of the weights, or empty
    optimiser: Moments = field(default_factory=dict)
    numbers: dict[str, int | float] = field(default_factory=dict)  # steps, positions, …
    random: dict[str, bytes] = field(default_factory=dict)  # states of random generators


def save_training_state(path: Path, state: TrainingState) -> str:
    """Writes the state atomically and returns the SHA-256 of the file."""
    arrays: dict[str, Array] = {}
    for name, tensor in to_arrays(state.model).items():
        arrays[f"model/{name}"] = tensor
    for name, tensor in to_arrays(state.average).items():
        arrays[f"average/{name}"] = tensor
    for parameter, moments in state.optimiser.items():
        for moment, tensor in to_arrays(moments).items():
            arrays[f"optimiser/{moment}/{parameter}"] = tensor
    for name, content in state.random.items():
        arrays[f"random/{name}"] = np.frombuffer(content, np.uint8)
    check_finite(arrays, str(path))
    metadata = state.description.to_metadata("training_state")
    metadata["numbers"] = json.dumps(state.numbers, sort_keys=True, allow_nan=False)
    return write_file(path, arrays, metadata)


def load_training_state(path: Path) -> TrainingState:
    """The state in the file, validated against the network it describes, or CheckpointError."""
    where = str(path)
    with SafetensorsReader(path) as reader:
        description = NetDescription.from_metadata(reader.header.metadata, "training_state", where)
        numbers = _numbers_of(field_of(reader.header.metadata, "numbers", where), where)
        _check_sections(_sections_of(reader.header.tensors, where), layout_of(description), where)
        arrays, _ = reader.read_arrays()
    sections = _sections_of(arrays, where)
    optimiser: Moments = {}
    for name, tensor in to_tensors(sections["optimiser"]).items():
        moment, parameter = name.split(SEPARATOR, 1)
        optimiser.setdefault(parameter, {})[moment] = tensor
    return TrainingState(
        description=description,
        model=to_tensors(sections["model"]),
        average=to_tensors(sections["average"]),
        optimiser=optimiser,
        numbers=numbers,
        random={name: array.tobytes() for name, array in sections["random"].items()},
    )


class Optimiser(Protocol):
    """Whatever keeps tensors by parameter, as PyTorch's optimisers do."""

    @property
    def state(self) -> MutableMapping[Tensor, Any]: ...


def optimiser_moments(optimiser: Optimiser, net: nn.Module) -> Moments:
    """The optimiser's tensors by parameter name; its settings are not part of the state."""
    return {
        name: {key: value for key, value in optimiser.state[parameter].items() if isinstance(value, Tensor)}
        for name, parameter in net.named_parameters()
        if parameter in optimiser.state
    }


def restore_moments(optimiser: Optimiser, net: nn.Module, moments: Moments) -> None:
    """Gives the optimiser back what `optimiser_moments` took; it must own the parameters of `net`."""
    parameters = dict(net.named_parameters())
    for name, tensors in moments.items():
        if name not in parameters:
            raise CheckpointError(f"expected moments of a parameter of the network, got {name!r}")
        optimiser.state[parameters[name]] = {key: tensor.clone() for key, tensor in tensors.items()}


T = TypeVar("T")
Entries = Mapping[str, TensorEntry]


def _sections_of(tensors: Mapping[str, T], where: str) -> dict[str, dict[str, T]]:
    sections: dict[str, dict[str, T]] = {section: {} for section in SECTIONS}
    for name, tensor in tensors.items():
        section, separator, rest = name.partition(SEPARATOR)
        if section not in sections or not separator:
            raise CheckpointError(f"{where}: tensor {name[:80]!r} does not belong to a training state")
        sections[section][rest] = tensor
    return sections


def _check_sections(sections: Mapping[str, Entries], layout: Mapping[str, TensorLayout], where: str) -> None:
    check_layout(sections["model"], layout, f"{where}: model")
    if sections["average"]:
        check_layout(sections["average"], layout, f"{where}: average")
    for name, entry in sections["optimiser"].items():
        parameter = layout.get(name.partition(SEPARATOR)[2])
        if parameter is None:
            raise CheckpointError(f"{where}: tensor 'optimiser/{name[:80]}' belongs to no parameter")
        if entry.shape not in ((), parameter.shape):  # steps are scalars, moments like their parameter
            raise CheckpointError(
                f"{where}: tensor 'optimiser/{name}': expected shape {parameter.shape}, got {entry.shape}"
            )
    for name, entry in sections["random"].items():
        if entry.dtype != "U8" or len(entry.shape) != 1:
            raise CheckpointError(f"{where}: tensor 'random/{name[:80]}': expected bytes, got {entry.dtype}")


def _numbers_of(text: str, where: str) -> dict[str, int | float]:
    try:
        numbers = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{where}: metadata numbers: not JSON: {error}") from error
    if not isinstance(numbers, dict) or not all(_is_number(value) for value in numbers.values()):
        raise CheckpointError(
            f"{where}: metadata numbers: expected finite numbers by name, got {text[:200]!r}"
        )
    return numbers


def _is_number(value: object) -> bool:
    return type(value) is int or (isinstance(value, float) and math.isfinite(value))
