"""Reads and writes safetensors files, strictly. Torch-free; knows nothing about networks.

Reading judges the whole header before any tensor is allocated: a file that is truncated, overlapping,
oversized or not safetensors at all is refused with a CheckpointError that names the file and the tensor.
Writing is our own because the library orders metadata at random: equal contents must give equal bytes, since
checkpoints are named by their SHA-256.
"""

import hashlib
import json
import math
import os
import stat
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from milton.errors import CheckpointError
from milton.rundir.atomic import write_bytes

MAX_HEADER_BYTES = 1 << 20
MAX_FILE_BYTES = 1 << 31
MAX_DIMENSIONS = 8
LENGTH_BYTES = 8
DATA_ALIGNMENT = 8

Array = npt.NDArray[Any]

DTYPES: dict[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "I16": np.dtype("<i2"),
    "U8": np.dtype("u1"),
}
NAMES_OF_DTYPES = {dtype: name for name, dtype in DTYPES.items()}


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One tensor as the header describes it; `begin` and `end` count from the start of the data."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Header:
    metadata: dict[str, str]
    tensors: dict[str, TensorEntry]
    raw: bytes  # length prefix and text, for the hash
    data_bytes: int


class SafetensorsReader:
    """An open, already judged file. Use as a context manager; header first, then the arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _open_regular(path)
        try:
            self.header = _read_header(self._file, str(path))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "SafetensorsReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read_arrays(self) -> tuple[dict[str, Array], str]:
        """Every tensor, finite, in header order, and the SHA-256 of the whole file."""
        data = bytearray(self.header.data_bytes)
        num_read = self._file.readinto(data)
        if num_read != len(data):
            raise CheckpointError(f"{self.path}: expected {len(data)} bytes of tensors, got {num_read}")
        digest = hashlib.sha256(self.header.raw)
        digest.update(data)
        arrays = {name: _array_of(entry, data) for name, entry in self.header.tensors.items()}
        check_finite(arrays, str(self.path))
        return arrays, digest.hexdigest()


def check_finite(arrays: Mapping[str, Array], where: str) -> None:
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise CheckpointError(f"{where}: tensor {name!r}: expected finite numbers, got NaN or infinity")


def write_file(path: Path, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> str:
    """Writes the file atomically and returns its SHA-256."""
    content = to_bytes(arrays, metadata)
    write_bytes(path, content)
    return hashlib.sha256(content).hexdigest()


def to_bytes(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    """A safetensors file; equal arguments give equal bytes, whatever the order of the mappings."""
    entries: dict[str, object] = {"__metadata__": dict(sorted(metadata.items()))}
    blocks: list[bytes] = []
    offset = 0
    # Widest dtypes first keeps every tensor aligned.
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
        dtype = NAMES_OF_DTYPES.get(array.dtype)
        if dtype is None:
            raise CheckpointError(f"tensor {name!r}: expected a dtype of {list(DTYPES)}, got {array.dtype}")
        blocks.append(np.ascontiguousarray(array).tobytes())
        end = offset + len(blocks[-1])
        entries[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % DATA_ALIGNMENT)
    if len(text) > MAX_HEADER_BYTES:
        raise CheckpointError(f"expected a header of at most {MAX_HEADER_BYTES} bytes, got {len(text)}")
    return b"".join([struct.pack("<Q", len(text)), text, *blocks])


def _open_regular(path: Path) -> BufferedReader:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CheckpointError(f"{path}: expected a regular file")
        return path.open("rb")
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a path with NUL
        raise CheckpointError(f"{path}: cannot be read: {error}") from error


def _read_header(file: BufferedReader, where: str) -> Header:
    file_bytes = os.fstat(file.fileno()).st_size
    if not LENGTH_BYTES < file_bytes <= MAX_FILE_BYTES:
        raise CheckpointError(f"{where}: expected {LENGTH_BYTES} to {MAX_FILE_BYTES} bytes, got {file_bytes}")
    prefix = file.read(LENGTH_BYTES)
    (header_bytes,) = struct.unpack("<Q", prefix)
    longest = min(MAX_HEADER_BYTES, file_bytes - LENGTH_BYTES)
    if not 2 <= header_bytes <= longest:
        raise CheckpointError(
            f"{where}: not a safetensors file: expected a header of 2 to {longest} bytes, got {header_bytes}"
        )
    text = file.read(header_bytes)
    data_bytes = file_bytes - LENGTH_BYTES - header_bytes
    entries = _parse_header(text, where)
    metadata = _metadata_of(entries.pop("__metadata__", {}), where)
    tensors = {name: _entry_of(value, f"{where}: tensor {name!r}") for name, value in entries.items()}
    _check_layout(tensors, data_bytes, where)
    return Header(metadata, tensors, prefix + text, data_bytes)


def _parse_header(text: bytes, where: str) -> dict[str, object]:
    if not text.startswith(b"{"):  # the format wants it, and other readers refuse leading spaces
        raise CheckpointError(f"{where}: not a safetensors file: expected a header that begins with {{")
    try:
        entries = json.loads(text.decode(), object_pairs_hook=_unique_pairs)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{where}: not a safetensors file: header is not JSON: {error}") from error
    if not isinstance(entries, dict):
        raise CheckpointError(f"{where}: expected a JSON object as header, got {type(entries).__name__}")
    return entries


def _unique_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError(f"a key occurs twice among {[key for key, _ in pairs][:8]}")
    return unique


def _metadata_of(value: object, where: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise CheckpointError(f"{where}: expected metadata of strings")
    return value


def _entry_of(value: object, where: str) -> TensorEntry:
    if not isinstance(value, dict) or value.keys() != {"dtype", "shape", "data_offsets"}:
        raise CheckpointError(f"{where}: expected dtype, shape and data_offsets, got {str(value)[:200]}")
    dtype, shape, offsets = value["dtype"], value["shape"], value["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise CheckpointError(f"{where}: expected a dtype of {list(DTYPES)}, got {str(dtype)[:40]!r}")
    if not _are_counts(shape) or len(shape) > MAX_DIMENSIONS:
        raise CheckpointError(
            f"{where}: expected a shape of up to {MAX_DIMENSIONS} sizes, got {str(shape)[:80]}"
        )
    if not _are_counts(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise CheckpointError(f"{where}: expected two rising data_offsets, got {str(offsets)[:80]}")
    expected_bytes = math.prod(shape) * DTYPES[dtype].itemsize
    if offsets[1] - offsets[0] != expected_bytes:
        raise CheckpointError(
            f"{where}: expected {expected_bytes} bytes for {dtype}{shape}, got offsets {offsets}"
        )
    return TensorEntry(dtype, tuple(shape), offsets[0], offsets[1])


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(
        type(item) is int and 0 <= item <= MAX_FILE_BYTES for item in value
    )


def _check_layout(tensors: Mapping[str, TensorEntry], data_bytes: int, where: str) -> None:
    """The tensors must cover the data exactly: no overlap, no gap, nothing beyond the end."""
    expected_begin = 0
    for name, entry in sorted(tensors.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin != expected_begin:
            fault = "overlaps the one before" if entry.begin < expected_begin else "leaves a gap before it"
            raise CheckpointError(
                f"{where}: tensor {name!r} {fault}: expected it at byte {expected_begin}, got {entry.begin}"
            )
        expected_begin = entry.end
    if expected_begin != data_bytes:
        raise CheckpointError(f"{where}: expected {expected_begin} bytes of tensors, got {data_bytes}")


def _array_of(entry: TensorEntry, data: bytearray) -> Array:
    dtype = DTYPES[entry.dtype]
    count = math.prod(entry.shape)
    if count == 0:
        return np.empty(entry.shape, dtype)
    array = np.frombuffer(data, dtype, count, entry.begin).reshape(entry.shape)
    return np.require(array, requirements="A")  # other writers may leave a tensor unaligned
