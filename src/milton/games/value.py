"""Values and centipawns, and the curves between them. Sole home of both curves.

A value v in [−1, 1] is the expected result, (1 + v) / 2 the expected score s. Centipawns c follow a logistic
curve, s = 1 / (1 + 10^(−c / d)), with one d for what our engine shows and another for what others tell us.
"""

import math

# So that a missing pawn reads about 1.00: less than that at the start of the game, more in the middle of it
# (docs/play.md#scores has the measurement). Inside alpha-beta d is 400.
CENTIPAWNS_PER_DECADE = 650.0
# Other engines' evaluations, read as differences of Elo: one pawn is 64 %.
ELO_PER_DECADE = 400.0
MAX_CENTIPAWNS = 9_999  # a won game that is not proven


def centipawns_of(value: float) -> float:
    """What we show for a value; not rounded, at most MAX_CENTIPAWNS either way."""
    if abs(value) >= 1.0:
        return math.copysign(MAX_CENTIPAWNS, value)
    exact = CENTIPAWNS_PER_DECADE * math.log10((1.0 + value) / (1.0 - value))
    return max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, exact))


def value_of_centipawns(centipawns: float) -> float:
    """The inverse of `centipawns_of`."""
    return _value(centipawns / CENTIPAWNS_PER_DECADE)


def value_of(centipawns: float) -> float:
    """The value that an evaluation of another engine means."""
    return _value(centipawns / ELO_PER_DECADE)


def _value(decades: float) -> float:
    return 2.0 / (1.0 + math.pow(10.0, -decades)) - 1.0
