"""Checkpoint files as numpy arrays. Torch-free for the sparse family; knows nothing about nn.Module.

Everything about a file is judged before its tensors are allocated; see safetensors_file for the container.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from milton.errors import CheckpointError
from milton.nets.description import NetDescription, Provenance, field_of, parse_json
from milton.nets.registry import check_layout, layout_of
from milton.nets.safetensors_file import (
    NAMES_OF_DTYPES,
    Array,
    SafetensorsReader,
    TensorEntry,
    check_finite,
    write_file,
)
from milton.nets.sparse_grid import snap_to_grid


@dataclass(frozen=True, slots=True)
class CheckpointInfo:
    """A checkpoint's metadata. `on_grid`: the weights were snapped to the core's number grid."""

    description: NetDescription
    provenance: Provenance
    on_grid: bool


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
        check_layout(reader.header.tensors, layout_of(info.description), str(path))
        tensors, sha256 = reader.read_arrays()
    return CheckpointArrays(info, tensors, sha256)


def write_checkpoint_numpy(
    path: Path,
    description: NetDescription,
    tensors: Mapping[str, Array],
    provenance: Provenance,
    *,
    for_play: bool = False,
) -> str:
    """Writes a checkpoint atomically and returns its SHA-256.

    `for_play` snaps a sparse network's weights to the core's grid; dense families are stored as they are.
    """
    on_grid = for_play and description.is_sparse
    if on_grid:
        tensors = snap_to_grid(tensors, description.spec.max_active)
    check_arrays(tensors, description, str(path))
    metadata = description.to_metadata("checkpoint")
    metadata["provenance"] = provenance.model_dump_json()
    metadata["on_grid"] = "yes" if on_grid else "no"
    return write_file(path, tensors, metadata)


def _info_of(reader: SafetensorsReader) -> CheckpointInfo:
    metadata, where = reader.header.metadata, str(reader.path)
    description = NetDescription.from_metadata(metadata, "checkpoint", where)
    provenance = parse_json(Provenance, metadata, "provenance", where)
    on_grid = field_of(metadata, "on_grid", where)
    if on_grid not in ("yes", "no"):
        raise CheckpointError(f"{where}: expected metadata on_grid = 'yes' or 'no', got {on_grid[:80]!r}")
    return CheckpointInfo(description, provenance, on_grid == "yes")


def check_arrays(tensors: Mapping[str, Array], description: NetDescription, where: str) -> None:
    """Refuses to write what would be refused on reading."""
    entries = {
        name: TensorEntry(NAMES_OF_DTYPES.get(array.dtype, str(array.dtype)), array.shape, 0, array.nbytes)
        for name, array in tensors.items()
    }
    check_layout(entries, layout_of(description), where)
    check_finite(tensors, where)
