"""Strength levels: what each may search, how it chooses, and its measured Elo. The table is levels.toml.

Knows no search; `Search` samples by what a level's limits say.
"""

import math
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from milton.errors import ArgumentError
from milton.play.limits import Clock, Limits, Sampling

NUM_LEVELS = 10
LOWEST_LEVEL, HIGHEST_LEVEL = 1, NUM_LEVELS
# Time a move of the full engine without a clock: as long as a patient person waits.
TOP_LEVEL_S = 2.0

_ANY_GAME = "any"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Level(_Entry):
    """One line of the table."""

    name: str
    simulations: int | None = Field(None, ge=1)  # None: the whole engine
    temperature: float = Field(0.0, ge=0.0)
    plausible_share: float = Field(0.0, ge=0.0, le=1.0)
    elo: int | None = None
    margin: int | None = None  # half of the 95 % interval

    def limits(self, clock: Clock | None = None) -> Limits:
        """Nothing is kept between moves: a kept tree would make low levels stronger."""
        if self.simulations is None:
            return Limits(clock=clock) if clock else Limits(movetime_s=TOP_LEVEL_S)
        return Limits(
            simulations=self.simulations,
            clock=clock,
            algorithm="mcts",  # what it was measured with, and moves are chosen by priors and visits
            fresh=True,
            sampling=Sampling(self.temperature, self.plausible_share),
        )


class LevelTable(_Entry):
    """The levels of one game, weakest first, and how their ratings were measured."""

    scale: str
    measured: str
    levels: tuple[Level, ...] = Field(min_length=NUM_LEVELS, max_length=NUM_LEVELS)


@cache
def _tables() -> dict[str, LevelTable]:
    with (Path(__file__).parent / "levels.toml").open("rb") as file:
        return {game: LevelTable.model_validate(table) for game, table in tomllib.load(file).items()}


def level_table(game: str) -> LevelTable:
    return _tables().get(game) or _tables()[_ANY_GAME]


def find_level(game: str, number: int) -> Level:
    """Numbers begin at 1; ArgumentError for one that does not exist."""
    if not LOWEST_LEVEL <= number <= HIGHEST_LEVEL:
        raise ArgumentError(f"expected a level from {LOWEST_LEVEL} to {HIGHEST_LEVEL}, got {number!r}")
    return level_table(game).levels[number - 1]


def elo_range(game: str) -> tuple[int, int]:
    """Lowest and highest Elo that `level_for_elo` can be asked for; ArgumentError if none was measured."""
    rated = _rated_levels(game)
    return rated[0][0], rated[-1][0]


def level_for_elo(game: str, elo: int) -> Level:
    """A level between two of the table, by straight lines through what they were measured at.

    Simulations and the other numbers are interpolated by their logarithms. Elo beyond the range gets its end.
    """
    rated = _rated_levels(game)
    low, high = rated[0][0], rated[-1][0]
    elo = max(low, min(elo, high))
    (below_elo, below), (above_elo, above) = next(pair for pair in pairwise(rated) if elo <= pair[1][0])
    share = (elo - below_elo) / (above_elo - below_elo)

    def between(a: float, b: float) -> float:
        return math.exp((1.0 - share) * math.log(a) + share * math.log(b)) if a > 0 < b else b

    assert below.simulations is not None
    assert above.simulations is not None
    return Level(
        name=f"Elo {elo}",
        simulations=round(between(below.simulations, above.simulations)),
        temperature=between(below.temperature, above.temperature),
        plausible_share=between(below.plausible_share, above.plausible_share),
        elo=elo,
    )


@cache
def _rated_levels(game: str) -> tuple[tuple[int, Level], ...]:
    """Elo and level of those that do not depend on a clock; there are at least two."""
    rated = tuple(
        (level.elo, level)
        for level in level_table(game).levels
        if level.elo is not None and level.simulations is not None
    )
    if len(rated) < 2:
        raise ArgumentError(f"the levels of {game} have not been measured: there is no Elo to choose")
    return rated
