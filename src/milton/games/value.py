"""Values and centipawns, and the curve between them. Sole home of that curve.

A value v in [−1, 1] is the expected result. Its centipawns follow the Elo curve: the expected score
s = (1 + v) / 2 of a player who is c/100 pawns ahead is s = 1 / (1 + 10^(−c/400)), so that one pawn is 64 %.
"""

import math

CENTIPAWNS_PER_DECADE = 400.0
MAX_CENTIPAWNS = 9_999  # a won game that is not proven


def centipawns_of(value: float) -> float:
    """Not rounded; at most MAX_CENTIPAWNS either way."""
    if abs(value) >= 1.0:
        return math.copysign(MAX_CENTIPAWNS, value)
    exact = CENTIPAWNS_PER_DECADE * math.log10((1.0 + value) / (1.0 - value))
    return max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, exact))


def value_of(centipawns: float) -> float:
    """The inverse of `centipawns_of`."""
    return 2.0 / (1.0 + math.pow(10.0, -centipawns / CENTIPAWNS_PER_DECADE)) - 1.0
