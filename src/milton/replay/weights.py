"""Sampling weights beside a shard (NAME.shard.weights): 1 + severity for each position. Knows no reports.

Weights are kept by block, under the block's checksum, so they can never be applied to other positions.
"""

import hashlib
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import zstandard
from numpy.typing import NDArray

from milton.errors import ShardError
from milton.rundir import write_bytes

from .format import unpack

_MAGIC = b"MILTONWT"
_VERSION = 1
_HEADER = struct.Struct("<8sHI")
_BLOCK = struct.Struct("<8sI")
_DIGEST_BYTES = 8
_MOST_VALUES = 1 << 28
LARGEST_WEIGHT = 1e6

BlockWeights = Mapping[
    bytes, NDArray[np.float32]
]  # payload digest of a block -> weight of each of its positions


def weights_path(shard: Path) -> Path:
    return shard.with_name(f"{shard.name}.weights")


def write_weights(shard: Path, weights: BlockWeights) -> None:
    """Replaces the weights of a shard."""
    blocks = b"".join(_BLOCK.pack(digest, len(values)) for digest, values in weights.items())
    values = b"".join(values.astype("<f4").tobytes() for values in weights.values())
    content = (
        _HEADER.pack(_MAGIC, _VERSION, len(weights)) + blocks + zstandard.ZstdCompressor().compress(values)
    )
    write_bytes(weights_path(shard), content + _digest(content))


def read_weights(shard: Path) -> dict[bytes, NDArray[np.float32]]:
    """The weights of a shard by block; ShardError names the file if it is damaged."""
    path = weights_path(shard)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ShardError(f"{path}: cannot be read: {error.strerror}") from error
    body, digest = content[:-_DIGEST_BYTES], content[-_DIGEST_BYTES:]
    if body[:8] != _MAGIC or len(body) < _HEADER.size or _digest(body) != digest:
        raise ShardError(f"{path}: not a weights file, or its checksum is wrong")
    _, version, num_blocks = _HEADER.unpack_from(body)
    if version != _VERSION:
        raise ShardError(f"{path}: weights version {version} is unknown, this program knows {_VERSION}")
    try:
        return _decode(body, num_blocks)
    except ShardError as error:
        raise ShardError(f"{path}: {error}") from error


class WeightFiles:
    """The weights beside several shards, each file read once. Positions without one have weight 1."""

    def __init__(self) -> None:
        self.errors: list[ShardError] = []
        self._files: dict[Path, dict[bytes, NDArray[np.float32]]] = {}

    def of(self, shard: Path, digest: bytes, is_kept: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The weights of those positions of a block that are kept."""
        if shard not in self._files:
            self._files[shard] = self._read(shard)
        weights = self._files[shard].get(digest)
        if weights is None or len(weights) != len(is_kept):
            return np.ones(int(is_kept.sum()), dtype=np.float32)
        return weights[is_kept]

    def _read(self, shard: Path) -> dict[bytes, NDArray[np.float32]]:
        if not weights_path(shard).exists():
            return {}
        try:
            return read_weights(shard)
        except ShardError as error:
            self.errors.append(error)
            return {}


def _decode(body: bytes, num_blocks: int) -> dict[bytes, NDArray[np.float32]]:
    start, end = _HEADER.size, _HEADER.size + num_blocks * _BLOCK.size
    if end > len(body):
        raise ShardError(f"expected {num_blocks} blocks, got fewer")
    blocks = list(_BLOCK.iter_unpack(body[start:end]))
    num_values = sum(count for _, count in blocks)
    if num_values > _MOST_VALUES:
        raise ShardError(f"expected at most {_MOST_VALUES} weights, got {num_values}")
    content = unpack(body[end:], 4 * num_values)
    if len(content) != 4 * num_values:
        raise ShardError(f"expected {num_values} weights, got {len(content)} bytes")
    values = np.frombuffer(content, dtype="<f4").astype(np.float32)
    if not ((values >= 0) & (values <= LARGEST_WEIGHT)).all():
        raise ShardError(f"expected weights from 0 to {LARGEST_WEIGHT:,.0f}, got others")
    parts = np.split(values, np.cumsum([count for _, count in blocks]))[: len(blocks)]
    return {digest: part for (digest, _), part in zip(blocks, parts, strict=True)}


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()
