"""Gives positions value labels by short alpha-beta searches. Knows no run and no loop."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from milton import _core
from milton.config import Settings
from milton.errors import ShardError
from milton.inference.sparse import load_sparse_net
from milton.replay import (
    PositionFlag,
    ShardReader,
    WindowColumns,
    has_flag,
    labels_path,
    mix_labels,
    packed_labels,
    write_labels,
)

# Between two calls of `on_positions`: a second or two of one core.
_POSITIONS_AT_ONCE = 8192


def label_shard(
    shard: Path,
    checkpoint: Path,
    *,
    nodes: int,
    threads: int,
    on_positions: Callable[[int], None] = lambda _: None,
) -> int:
    """Writes the labels of a shard beside it; returns the number of labelled positions.

    They depend on shard, network and nodes alone. Positions that are not learnt from, and blocks that cannot
    be read, get none. `on_positions` hears how many are done; what it raises leaves the shard without labels.
    """
    net, _ = load_sparse_net(checkpoint, "chess")
    labels: dict[bytes, NDArray[np.uint16]] = {}
    num_done = 0
    reader = ShardReader(shard)
    for entry in reader.new_entries(is_complete=True):
        try:
            block = reader.read(entry)
        except ShardError:  # whoever reads the shard to learn from it says so
            continue
        is_kept = ~has_flag(block.flags, PositionFlag.RANDOM_OPENING)
        packed = np.ascontiguousarray(block.packed[is_kept])
        num_before = num_done

        def on_part(count: int, num_before: int = num_before) -> None:
            on_positions(num_before + count)

        values = np.zeros((len(is_kept), 2), dtype=np.uint16)
        values[is_kept] = _labels(net, packed, nodes, threads, on_part)
        num_done += len(packed)
        labels[entry.header.payload_digest] = values
    write_labels(shard, labels)
    return num_done


def label_columns(
    columns: WindowColumns,
    checkpoint: Path,
    *,
    nodes: int,
    share: float,
    threads: int,
    on_positions: Callable[[int], None] = lambda _: None,
) -> WindowColumns:
    """The columns with `share` of new labels in their root values, the same for any number of threads."""
    net, _ = load_sparse_net(checkpoint, "chess")
    labels = _labels(net, columns.packed, nodes, threads, on_positions)
    return replace(columns, root_wdl=mix_labels(columns.root_wdl, labels, share))


def _labels(
    net: _core.SparseNet,
    packed: NDArray[np.uint8],
    nodes: int,
    threads: int,
    on_positions: Callable[[int], None],
) -> NDArray[np.uint16]:
    wdl = np.zeros((len(packed), 3), dtype=np.float32)
    for first in range(0, len(packed), _POSITIONS_AT_ONCE):
        part = slice(first, first + _POSITIONS_AT_ONCE)
        _core.chess.label_positions(net, packed[part], nodes, threads, wdl[part])
        on_positions(first + len(packed[part]))
    return packed_labels(wdl)


def can_label(settings: Settings) -> bool:
    """Labels take alpha-beta, and that a sparse network of chess."""
    return settings.game == "chess" and settings.network.family == "sparse"


def has_labels(shard: Path) -> bool:
    return labels_path(shard).is_file()
