"""Positions of earlier games that new games may start from. Does not know why they were chosen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton import _core
from milton.games import GameSpec, core_game

WirePractice = tuple[bytes, bytes]  # packed positions, weights as little-endian float32


@dataclass(frozen=True, slots=True, eq=False)
class PracticeStarts:
    packed: NDArray[np.uint8]  # [N, packed_bytes], none of them the end of a game
    weights: NDArray[np.float32]  # [N] above 0; a start is drawn in proportion to its weight

    def to_core(self, game: str) -> _core.PracticeStarts:
        """As the core's settings take them; ArgumentError or NotationError if a position is not valid."""
        starts: _core.PracticeStarts = core_game(game).practice_starts(self.packed, self.weights)
        return starts

    def to_wire(self) -> WirePractice:
        return self.packed.tobytes(), self.weights.astype("<f4").tobytes()

    @classmethod
    def from_wire(cls, game: str, wire: WirePractice) -> "PracticeStarts":
        packed, weights = wire
        return cls(
            np.frombuffer(packed, np.uint8).reshape(-1, GameSpec.of(game).packed_bytes),
            np.frombuffer(weights, "<f4").astype(np.float32),
        )
