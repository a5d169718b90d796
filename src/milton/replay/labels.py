"""Value labels beside a shard (NAME.shard.labels): win and draw of each position by a search of its own.

They are made after the games, by another search than the one that played. Knows no search.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .block import PROBABILITY_SCALE
from .side_file import SideFiles, SideFormat

BlockLabels = Mapping[bytes, NDArray[np.uint16]]  # payload digest of a block -> [P, 2] as root_wdl has them

_FORMAT = SideFormat(
    name="labels",
    magic=b"MILTONLB",
    dtype="<u2",
    columns=2,
    expected=f"win and draw that sum to at most {PROBABILITY_SCALE}",
    is_valid=lambda values: bool((values.sum(axis=1, dtype=np.int64) <= PROBABILITY_SCALE).all()),
)


def labels_path(shard: Path) -> Path:
    return _FORMAT.path(shard)


def write_labels(shard: Path, labels: BlockLabels) -> None:
    """Replaces the labels of a shard."""
    _FORMAT.write(shard, labels)


def read_labels(shard: Path) -> dict[bytes, NDArray[np.uint16]]:
    """The labels of a shard by block; ShardError names the file if it is damaged."""
    return _FORMAT.read(shard)


def packed_labels(wdl: NDArray[np.float32]) -> NDArray[np.uint16]:
    """[P, 3] win, draw, loss -> [P, 2] as files and windows hold them."""
    scaled = np.round(wdl[:, :2].astype(np.float64).clip(0.0, 1.0) * PROBABILITY_SCALE)
    win = np.minimum(scaled[:, 0], PROBABILITY_SCALE - scaled[:, 1])
    return np.stack([win, scaled[:, 1]], axis=1).astype(np.uint16)


def mix_labels(root_wdl: NDArray[np.uint16], labels: NDArray[np.uint16], share: float) -> NDArray[np.uint16]:
    """[P, 2]: `share` of the labels, and the rest of the root values."""
    mixed = (1.0 - share) * root_wdl.astype(np.float32) + share * labels.astype(np.float32)
    return np.floor(mixed).astype(np.uint16)  # rounded down, so that the sum cannot exceed the scale


class LabelFiles(SideFiles):
    """The labels beside several shards."""

    def __init__(self) -> None:
        super().__init__(_FORMAT)

    def mixed(self, root_wdl: NDArray[np.uint16], share: float, *where: Any) -> NDArray[np.uint16]:
        """`root_wdl` [P, 2] with `share` of the labels mixed in; unchanged where there are none."""
        labels = self.of(*where)
        return root_wdl if labels is None else mix_labels(root_wdl, labels, share)
