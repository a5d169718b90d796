"""Shard files, sampling weights and labels beside them, and the training window. Knows no networks."""

from .block import (
    NO_MOVE,
    PROBABILITY_SCALE,
    VALUE_SCALE,
    GameBlock,
    PositionFlag,
    has_flag,
    offsets_of,
    quantize_values,
    quantize_wdl,
)
from .columns import Samples, WindowColumns, gather
from .games import recorded_games
from .labels import labels_path, mix_labels, packed_labels, read_labels, write_labels
from .sampling import Sampler, is_holdout
from .shard import BlockEntry, Damage, ShardReader, ShardWriter, check_shard, repair_shard, set_damage_aside
from .weights import read_weights, weights_path, write_weights
from .window import Window, WindowChange
from .window_size import WindowSize

__all__ = [
    "NO_MOVE",
    "PROBABILITY_SCALE",
    "VALUE_SCALE",
    "BlockEntry",
    "Damage",
    "GameBlock",
    "PositionFlag",
    "Sampler",
    "Samples",
    "ShardReader",
    "ShardWriter",
    "Window",
    "WindowChange",
    "WindowColumns",
    "WindowSize",
    "check_shard",
    "gather",
    "has_flag",
    "is_holdout",
    "labels_path",
    "mix_labels",
    "offsets_of",
    "packed_labels",
    "quantize_values",
    "quantize_wdl",
    "read_labels",
    "read_weights",
    "recorded_games",
    "repair_shard",
    "set_damage_aside",
    "weights_path",
    "write_labels",
    "write_weights",
]
