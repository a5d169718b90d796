"""The numbers that a fingerprint can speak of, asked of the core. Retypes none of them."""

from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from milton.errors import CoachError
from milton.games import core_game

Category = Literal[
    "opening repertoire",
    "pawn structure",
    "piece coordination",
    "king safety",
    "endgame technique",
    "tactical awareness",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class Trait:
    index: int  # column of `measure`
    name: str
    lowest: int
    highest: int
    category: Category
    meaning: str


@cache
def traits_of(game: str) -> dict[str, Trait]:
    """All traits of a game by name, in the core's order."""
    found = {}
    for index, (name, lowest, highest, topic, meaning) in enumerate(core_game(game).traits()):
        assert topic in CATEGORIES, topic
        found[name] = Trait(index, name, lowest, highest, topic, meaning)
    return found


def trait_of(game: str, name: str) -> Trait:
    """One trait; CoachError if the game has no such one."""
    found = traits_of(game).get(name)
    if found is None:
        raise CoachError(f"expected a trait of {game} ({', '.join(traits_of(game))}), got {name[:60]!r}")
    return found


def measure(game: str, packed: NDArray[np.uint8]) -> NDArray[np.int16]:
    """[P, traits] of packed positions."""
    out = np.empty((len(packed), len(traits_of(game))), dtype=np.int16)
    core_game(game).measure_traits(packed, out)
    return out
