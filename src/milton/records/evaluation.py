"""An evaluation as files of games keep it."""

import math
from dataclasses import dataclass

from milton.games import MAX_CENTIPAWNS, centipawns_of, value_of_centipawns


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation of a position, seen by the first player (White)."""

    centipawns: float  # ±MAX_CENTIPAWNS where a mate is announced
    mate_in: int | None = None  # moves; negative if White is mated, 0 if the game is over by mate
    depth: int | None = None  # plies, if the file says so

    @staticmethod
    def of_value(value_first: float) -> "Evaluation":
        return Evaluation(centipawns_of(value_first))

    @staticmethod
    def of_mate(mate_in: int, depth: int | None = None) -> "Evaluation":
        """`mate_in` is not 0: its sign says who mates."""
        return Evaluation(math.copysign(MAX_CENTIPAWNS, mate_in), mate_in, depth)

    @property
    def value_first(self) -> float:
        """The expected result in [−1, 1]."""
        if self.mate_in is not None:
            return math.copysign(1.0, self.centipawns)
        return value_of_centipawns(self.centipawns)
