"""What the trainer reads: the window's positions as contiguous arrays of fixed types. Knows no files."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .block import NO_MOVE


@dataclass(frozen=True, slots=True)
class WindowColumns:
    """P positions and V visited moves; all arrays C-contiguous and never changed once handed out."""

    packed: NDArray[np.uint8]  # [P, packed_bytes]
    visit_offsets: NDArray[
        np.uint32
    ]  # [P + 1] visits of position p: visit_offsets[p] to visit_offsets[p + 1]
    visit_moves: NDArray[np.uint16]  # [V] the core's move bits
    visit_counts: NDArray[np.uint16]  # [V] at least 1
    root_values_stm: NDArray[np.int16]  # [P] × VALUE_SCALE
    root_wdl: NDArray[
        np.uint16
    ]  # [P, 2] win, draw × PROBABILITY_SCALE; (1 + value) / 2 and 0 where none was stored; see returns.py
    outcomes_stm: NDArray[np.uint8]  # [P] 0 won, 1 drawn, 2 lost, for the side to move
    plies_left: NDArray[np.uint16]  # [P]
    flags: NDArray[np.uint8]  # [P] PositionFlag
    is_holdout: NDArray[np.bool_]  # [P] belongs to a game that is never trained on
    weights: NDArray[np.float32]  # [P] sampling weight, 1 unless the coach said otherwise

    @property
    def num_positions(self) -> int:
        return len(self.packed)


@dataclass(frozen=True, slots=True)
class Samples:
    """B positions taken out of a window, visits padded to the longest list M of them."""

    packed: NDArray[np.uint8]  # [B, packed_bytes]
    visit_moves: NDArray[np.uint16]  # [B, M] the core's move bits, padded with NO_MOVE
    visit_counts: NDArray[np.uint16]  # [B, M] padded with 0; a row of zeros has no policy target
    root_values_stm: NDArray[np.int16]  # [B]
    root_wdl: NDArray[np.uint16]  # [B, 2]
    outcomes_stm: NDArray[np.uint8]  # [B]
    plies_left: NDArray[np.uint16]  # [B]
    flags: NDArray[np.uint8]  # [B]


def gather(columns: WindowColumns, indices: NDArray[np.int64]) -> Samples:
    """The positions at `indices`, in that order."""
    starts = columns.visit_offsets[indices].astype(np.int64)
    lengths = columns.visit_offsets[indices + 1].astype(np.int64) - starts
    width = int(lengths.max(initial=0))
    slots = np.arange(width)
    is_visit = slots < lengths[:, None]  # [B, M]
    source = (starts[:, None] + slots)[is_visit]
    moves = np.full((len(indices), width), NO_MOVE, dtype=np.uint16)
    counts = np.zeros((len(indices), width), dtype=np.uint16)
    moves[is_visit] = columns.visit_moves[source]
    counts[is_visit] = columns.visit_counts[source]
    return Samples(
        packed=columns.packed[indices],
        visit_moves=moves,
        visit_counts=counts,
        root_values_stm=columns.root_values_stm[indices],
        root_wdl=columns.root_wdl[indices],
        outcomes_stm=columns.outcomes_stm[indices],
        plies_left=columns.plies_left[indices],
        flags=columns.flags[indices],
    )
