"""Finished games as the core hands them over -> blocks for shards, and what calibration needs of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from milton import _core
from milton.replay import GameBlock

_BLOCK_COLUMNS = (
    "packed",
    "game_offsets",
    "visit_offsets",
    "visit_moves",
    "visit_counts",
    "root_values_stm",
    "root_wdl",
    "played_moves",
    "flags",
    "winners",
    "end_reasons",
    "game_ids",
)


@dataclass(frozen=True, slots=True)
class FinishedGames:
    """A block, and what is known of its games beyond what shards keep."""

    block: GameBlock
    was_played_out: NDArray[np.bool_]  # [G] resigning was off, to measure what it would have cost
    lowest_values: NDArray[np.float32]  # [G, 2] lowest root value each side saw for itself
    encoded: bytes | None = None  # the block as shards keep it, if it is already packed


@dataclass(frozen=True, slots=True)
class NetworkLabel:
    """What shards say about a network that played."""

    name: str
    teacher: str = ""  # see Provenance.teacher


def finished_games(
    game: str, columns: Mapping[str, Any], networks: Mapping[int, NetworkLabel]
) -> FinishedGames:
    """`networks` describes the versions that the core was given."""
    versions, indices = np.unique(columns["net_versions"], return_inverse=True)
    block = GameBlock(
        game=game,
        **{name: columns[name] for name in _BLOCK_COLUMNS},
        seeds=np.asarray(columns["game_ids"]),
        network_indices=indices.astype(np.uint16),
        network_names=tuple(networks[int(version)].name for version in versions),
        end_reason_names=tuple(_core.end_reason_names()),
        teachers=tuple(sorted({networks[int(version)].teacher for version in versions} - {""})),
    )
    lowest = np.stack([columns["lowest_value_first"], columns["lowest_value_second"]], axis=1)
    return FinishedGames(block, np.asarray(columns["played_out"]) != 0, lowest)
