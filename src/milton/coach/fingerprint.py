"""A deterministic filter over positions: ranges over traits, and how the game began. Knows no weights.

The same fingerprint finds the same positions of a shard, always: the core evaluates it, on packed positions.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from milton.config import GAME_NAMES, GameName
from milton.errors import CoachError, IllegalMoveError
from milton.games import GameSpec, Position, core_game

from .traits import trait_of

MAX_CONDITIONS = 6
MAX_OPENING_PLIES = 12


class StrictModel(BaseModel):
    """What all models of this room have in common: frozen, strict, closed; inputs never in messages."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, hide_input_in_errors=True
    )


class Condition(StrictModel):
    """A range over one trait, both ends included; an end that is left out is the trait's own bound."""

    trait: Annotated[str, Field(max_length=40)]
    at_least: int | None = None
    at_most: int | None = None


class Fingerprint(StrictModel):
    """All conditions hold, and the game stood in the position after the `opening` moves (at or before it)."""

    game: GameName
    conditions: Annotated[tuple[Condition, ...], Field(max_length=MAX_CONDITIONS)] = ()
    opening: Annotated[
        tuple[Annotated[str, Field(max_length=12)], ...], Field(max_length=MAX_OPENING_PLIES)
    ] = ()

    @model_validator(mode="after")
    def _normalise(self) -> "Fingerprint":
        """Every fingerprint has one form: bounds written out, conditions in order, moves as the core writes
        them."""
        try:
            conditions = sorted((_bounded(self.game, c) for c in self.conditions), key=lambda c: c.trait)
            opening = _moves(self.game, self.opening)
        except (CoachError, IllegalMoveError) as error:
            raise ValueError(str(error)) from error
        if len({condition.trait for condition in conditions}) < len(conditions):
            raise ValueError("a trait may occur in only one condition")
        if not conditions and not opening:
            raise ValueError("a fingerprint needs a condition or an opening")
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "opening", opening)
        return self

    def __str__(self) -> str:
        words = [f"{_range_words(self.game, condition)}" for condition in self.conditions]
        if self.opening:
            words.append(f"opening {' '.join(self.opening)}")
        return ", ".join(words)


def match(
    fingerprints: Sequence[Fingerprint], packed: NDArray[np.uint8], is_first: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """[P, fingerprints] which positions answer to which; games in order, `is_first` where one begins."""
    if not fingerprints:
        return np.zeros((len(packed), 0), dtype=bool)
    game = fingerprints[0].game
    conditions = [
        (number, trait_of(game, condition.trait).index, condition.at_least, condition.at_most)
        for number, fingerprint in enumerate(fingerprints)
        for condition in fingerprint.conditions
    ]
    openings = np.zeros((len(fingerprints), GameSpec.of(game).packed_bytes), dtype=np.uint8)
    for number, fingerprint in enumerate(fingerprints):
        reached = Position.start(game).play_all(fingerprint.opening)
        openings[number] = np.frombuffer(reached.pack(), dtype=np.uint8)
    out = np.empty((len(packed), len(fingerprints)), dtype=np.uint8)
    core_game(game).match_fingerprints(
        packed,
        is_first,
        np.array(conditions, dtype=np.int32).reshape(-1, 4),
        openings,
        np.array([bool(fingerprint.opening) for fingerprint in fingerprints]),
        out,
    )
    return out.view(np.bool_)


def _bounded(game: str, condition: Condition) -> Condition:
    assert game in GAME_NAMES
    trait = trait_of(game, condition.trait)
    low = trait.lowest if condition.at_least is None else condition.at_least
    high = trait.highest if condition.at_most is None else condition.at_most
    if not trait.lowest <= low <= high <= trait.highest:
        raise CoachError(
            f"the range of {trait.name} must lie within {trait.lowest} to {trait.highest} and not be empty"
        )
    return Condition(trait=trait.name, at_least=low, at_most=high)


def _moves(game: str, moves: Sequence[str]) -> tuple[str, ...]:
    position, parsed = Position.start(game), []
    for move in moves:
        parsed.append(position.parse(move))
        position = position.play(parsed[-1])
    return tuple(parsed)


def _range_words(game: str, condition: Condition) -> str:
    trait = trait_of(game, condition.trait)
    low, high = condition.at_least, condition.at_most
    if low == high:
        return f"{trait.name} {low}"
    if high == trait.highest:
        return f"{trait.name} ≥ {low}"
    return f"{trait.name} ≤ {high}" if low == trait.lowest else f"{trait.name} {low} to {high}"
