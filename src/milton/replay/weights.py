"""Sampling weights beside a shard (NAME.shard.weights): 1 + severity for each position. Knows no reports."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .side_file import SideFiles, SideFormat

LARGEST_WEIGHT = 1e6

BlockWeights = Mapping[bytes, NDArray[np.float32]]  # payload digest of a block -> weight of each position

_FORMAT = SideFormat(
    name="weights",
    magic=b"MILTONWT",
    dtype="<f4",
    columns=1,
    expected=f"weights from 0 to {LARGEST_WEIGHT:,.0f}",
    is_valid=lambda values: bool(((values >= 0) & (values <= LARGEST_WEIGHT)).all()),
)


def weights_path(shard: Path) -> Path:
    return _FORMAT.path(shard)


def write_weights(shard: Path, weights: BlockWeights) -> None:
    """Replaces the weights of a shard."""
    _FORMAT.write(shard, weights)


def read_weights(shard: Path) -> dict[bytes, NDArray[np.float32]]:
    """The weights of a shard by block; ShardError names the file if it is damaged."""
    return _FORMAT.read(shard)


class WeightFiles(SideFiles):
    """The weights beside several shards. Positions without one have weight 1."""

    def __init__(self) -> None:
        super().__init__(_FORMAT)

    def weights(self, shard: Path, digest: bytes, is_kept: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The weights of those positions of a block that are kept."""
        found = self.of(shard, digest, is_kept)
        return np.ones(int(is_kept.sum()), dtype=np.float32) if found is None else found
