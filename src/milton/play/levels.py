"""Strength levels 1 to 10: how many simulations each may make. Sole home of the table."""

from milton.errors import ArgumentError
from milton.play.limits import Limits

# Level 1 plays the network's first impression; each step is about three times the work of the one before.
SIMULATIONS_OF_LEVEL = (1, 4, 12, 40, 120, 400, 1_200, 4_000, 20_000, 100_000)
LOWEST_LEVEL, HIGHEST_LEVEL = 1, len(SIMULATIONS_OF_LEVEL)


def level_limits(level: int) -> Limits:
    """The limits of a level. Nothing is kept between moves: a kept tree would make low levels stronger."""
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        raise ArgumentError(f"expected a level from {LOWEST_LEVEL} to {HIGHEST_LEVEL}, got {level!r}")
    return Limits(simulations=SIMULATIONS_OF_LEVEL[level - 1], fresh=True)
