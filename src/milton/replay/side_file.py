"""Files beside a shard that hold numbers for each of its positions. Knows no meaning of the numbers.

Numbers are kept by block, under the block's checksum, so they are never taken for those of other positions.
"""

import hashlib
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from milton.errors import ShardError
from milton.rundir import write_bytes

from .format import unpack

_VERSION = 1
_HEADER = struct.Struct("<8sHI")
_BLOCK = struct.Struct("<8sI")
_DIGEST_BYTES = 8
# Positions of one shard: far more than a loop plays in one iteration.
_MOST_POSITIONS = 1 << 26

BlockValues = Mapping[bytes, NDArray[Any]]  # payload digest of a block -> numbers of each of its positions


@dataclass(frozen=True, slots=True)
class SideFormat:
    """One kind of such files."""

    name: str  # also the end of the file's name
    magic: bytes
    dtype: str  # on disk, little-endian
    columns: int  # numbers for each position; arrays are [P] for one and [P, columns] for more
    expected: str  # what `is_valid` asks for, in words
    is_valid: Callable[[NDArray[Any]], bool]

    def path(self, shard: Path) -> Path:
        return shard.with_name(f"{shard.name}.{self.name}")

    def write(self, shard: Path, values: BlockValues) -> None:
        """Replaces the file of a shard."""
        blocks = b"".join(_BLOCK.pack(digest, len(each)) for digest, each in values.items())
        numbers = b"".join(each.astype(self.dtype).tobytes() for each in values.values())
        header = _HEADER.pack(self.magic, _VERSION, len(values))
        content = header + blocks + zstandard.ZstdCompressor().compress(numbers)
        write_bytes(self.path(shard), content + _digest(content))

    def read(self, shard: Path) -> dict[bytes, NDArray[Any]]:
        """The numbers of a shard by block; ShardError names the file if it is damaged."""
        path = self.path(shard)
        content = self._content(path)
        body, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
        if body[:8] != self.magic or len(body) < _HEADER.size or _digest(body) != digest:
            raise ShardError(f"{path}: not a {self.name} file, or its checksum is wrong")
        _, version, num_blocks = _HEADER.unpack_from(body)
        if version != _VERSION:
            raise ShardError(
                f"{path}: {self.name} version {version} is unknown, this program knows {_VERSION}"
            )
        try:
            return self._decode(body, num_blocks)
        except ShardError as error:
            raise ShardError(f"{path}: {error}") from error

    def _content(self, path: Path) -> bytes:
        longest = 2 * _MOST_POSITIONS * self.columns * np.dtype(self.dtype).itemsize
        try:
            if not path.is_file():  # the reader of a pipe would wait for ever
                raise ShardError(f"{path}: not a file")
            if path.stat().st_size > longest:
                raise ShardError(f"{path}: expected at most {longest:,} bytes")
            return path.read_bytes()
        except OSError as error:
            raise ShardError(f"{path}: cannot be read: {error.strerror}") from error

    def _decode(self, body: bytes, num_blocks: int) -> dict[bytes, NDArray[Any]]:
        start, end = _HEADER.size, _HEADER.size + num_blocks * _BLOCK.size
        if end > len(body):
            raise ShardError(f"expected {num_blocks} blocks, got fewer")
        blocks = list(_BLOCK.iter_unpack(body[start:end]))
        num_positions = sum(count for _, count in blocks)
        if num_positions > _MOST_POSITIONS:
            raise ShardError(f"expected at most {_MOST_POSITIONS:,} positions, got {num_positions:,}")
        num_values = num_positions * self.columns
        dtype = np.dtype(self.dtype)
        content = unpack(body[end:], dtype.itemsize * num_values)
        if len(content) != dtype.itemsize * num_values:
            raise ShardError(f"expected {num_values} {self.name}, got {len(content)} bytes")
        values = np.frombuffer(content, dtype=dtype).astype(dtype.newbyteorder("="))
        if self.columns > 1:
            values = values.reshape(-1, self.columns)
        if not self.is_valid(values):
            raise ShardError(f"expected {self.expected}, got others")
        parts = np.split(values, np.cumsum([count for _, count in blocks]))[: len(blocks)]
        return {digest: part for (digest, _), part in zip(blocks, parts, strict=True)}


class SideFiles:
    """The files of one kind beside several shards. Damaged ones are reported and left out.

    Only the file of one shard is in memory: a small one may unpack to 256 MB. So ask shard by shard.
    """

    def __init__(self, form: SideFormat) -> None:
        self.errors: list[ShardError] = []
        self._form = form
        self._shard: Path | None = None
        self._values: dict[bytes, NDArray[Any]] = {}  # of that shard

    def of(self, shard: Path, digest: bytes, is_kept: NDArray[np.bool_]) -> NDArray[Any] | None:
        """The numbers of those positions of a block that are kept; None where there are none."""
        if shard != self._shard:
            self._shard, self._values = shard, {}  # what was there before is gone before the next is read
            self._values = self._read(shard)
        values = self._values.get(digest)
        return None if values is None or len(values) != len(is_kept) else values[is_kept]

    def _read(self, shard: Path) -> dict[bytes, NDArray[Any]]:
        if not self._form.path(shard).exists():
            return {}
        try:
            return self._form.read(shard)
        except ShardError as error:
            self.errors.append(error)
            return {}


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()
