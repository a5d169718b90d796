"""Checkpoint files as numpy arrays. Torch-free for the sparse family; knows nothing about nn.Module.

Everything about a file is judged before its tensors are allocated; see safetensors_file for the container.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from milton.errors import CheckpointError
from milton.nets.description import NetDescription, Provenance, field_of, parse_json, require
from milton.nets.registry import TensorLayout, check_layout, layout_of
from milton.nets.safetensors_file import (
    NAMES_OF_DTYPES,
    Array,
    SafetensorsReader,
    TensorEntry,
    check_finite,
    write_file,
)
from milton.nets.sparse_grid import GRID_SCALES, from_steps, snap_to_grid, to_steps

COMPACT = "int16"


@dataclass(frozen=True, slots=True)
class CheckpointInfo:
    """A checkpoint's metadata. `on_grid`: the weights were snapped to the core's number grid."""

    description: NetDescription
    provenance: Provenance
    on_grid: bool
    is_compact: bool = False  # tensors of the grid are stored as int16 steps


@dataclass(frozen=True, slots=True)
class CheckpointArrays:
    info: CheckpointInfo
    tensors: dict[str, Array]
    sha256: str  # of the whole file


def read_checkpoint_info(path: Path) -> CheckpointInfo:
    """The metadata alone, after the container's layout was found sound; no tensor is read."""
    with SafetensorsReader(path) as reader:
        return _info_of(reader)


def read_checkpoint_numpy(path: Path) -> CheckpointArrays:
    """A whole checkpoint, validated against the network its metadata describes."""
    with SafetensorsReader(path) as reader:
        info = _info_of(reader)
        check_layout(reader.header.tensors, _stored_layout(info), str(path))
        tensors, sha256 = reader.read_arrays()
    return CheckpointArrays(info, from_steps(tensors) if info.is_compact else tensors, sha256)


def write_checkpoint_numpy(
    path: Path,
    description: NetDescription,
    tensors: Mapping[str, Array],
    provenance: Provenance,
    *,
    for_play: bool = False,
) -> str:
    """Writes a checkpoint atomically and returns its SHA-256.

    `for_play` snaps a sparse network's weights to the core's grid and stores them as int16; dense families
    are stored as they are.
    """
    on_grid = for_play and description.is_sparse
    if on_grid:
        tensors = snap_to_grid(tensors, description.feature_groups())
    check_arrays(tensors, description, str(path))
    metadata = description.to_metadata("checkpoint")
    metadata["provenance"] = provenance.model_dump_json()
    metadata["on_grid"] = "yes" if on_grid else "no"
    if not on_grid:
        return write_file(path, tensors, metadata)
    return write_file(path, to_steps(tensors), metadata | {"storage": COMPACT})


def compact_checkpoint(source: Path, target: Path) -> str:
    """Writes a checkpoint again in the form that is played, its provenance kept; returns the new SHA-256.

    Half the size for a sparse network and exactly the same play; a dense one stays as it is.
    """
    loaded = read_checkpoint_numpy(source)
    return write_checkpoint_numpy(
        target, loaded.info.description, loaded.tensors, loaded.info.provenance, for_play=True
    )


def _stored_layout(info: CheckpointInfo) -> dict[str, TensorLayout]:
    layout = layout_of(info.description)
    if not info.is_compact:
        return layout
    on_grid = GRID_SCALES.keys() & layout.keys()
    return layout | {name: TensorLayout("I16", layout[name].shape) for name in on_grid}


def _info_of(reader: SafetensorsReader) -> CheckpointInfo:
    metadata, where = reader.header.metadata, str(reader.path)
    description = NetDescription.from_metadata(metadata, "checkpoint", where)
    provenance = parse_json(Provenance, metadata, "provenance", where)
    on_grid = field_of(metadata, "on_grid", where)
    if on_grid not in ("yes", "no"):
        raise CheckpointError(f"{where}: expected metadata on_grid = 'yes' or 'no', got {on_grid[:80]!r}")
    is_compact = "storage" in metadata
    if is_compact:
        require(metadata, "storage", COMPACT, where)
        if on_grid == "no" or not description.is_sparse:
            raise CheckpointError(f"{where}: expected a sparse network on the grid in {COMPACT}")
    return CheckpointInfo(description, provenance, on_grid == "yes", is_compact)


def check_arrays(tensors: Mapping[str, Array], description: NetDescription, where: str) -> None:
    """Refuses to write what would be refused on reading."""
    entries = {
        name: TensorEntry(NAMES_OF_DTYPES.get(array.dtype, str(array.dtype)), array.shape, 0, array.nbytes)
        for name, array in tensors.items()
    }
    check_layout(entries, layout_of(description), where)
    check_finite(tensors, where)
