"""Openings of rating games: random moves from the start, kept if nobody is simply losing. Uses no book.

The same seed gives the same openings whoever plays, so that ratings of different networks compare.
"""

import random

import chess

from milton.errors import ArgumentError
from milton.games import Position

from .material import material_balance, material_gains

DEFAULT_PLIES = 6
_LARGEST_GAIN = 1  # pawns
# Draws of an opening before giving up: small games have few openings.
_ATTEMPTS_PER_OPENING = 100

Opening = tuple[str, ...]


def random_openings(game: str, count: int, *, plies: int = DEFAULT_PLIES, seed: int = 0) -> list[Opening]:
    """Distinct openings that leave the game open."""
    generator = random.Random(f"openings of {game} {plies} {seed}")
    found: dict[Opening, None] = {}
    for _ in range(count * _ATTEMPTS_PER_OPENING):
        if len(found) == count:
            return list(found)
        opening = _draw(game, plies, generator)
        if opening is not None:
            found.setdefault(opening)
    raise ArgumentError(f"found only {len(found)} of {count} openings of {plies} plies; ask for longer ones")


def _draw(game: str, plies: int, generator: random.Random) -> Opening | None:
    """None if the game ends in it or, in chess, somebody is simply losing."""
    position = Position.start(game)
    moves = []
    for _ in range(plies):
        if position.outcome() is not None:
            return None
        moves.append(generator.choice(position.legal_moves()))
        position = position.play(moves[-1])
    if position.outcome() is not None:
        return None
    if game == "chess" and not is_balanced(position):
        return None
    return tuple(moves)


def is_balanced(position: Position) -> bool:
    """Equal material, and no capture that wins more than a pawn after the best capture in reply."""
    if material_balance(chess.Board(position.fen)) != 0:
        return False
    gains = material_gains(position)
    return all(
        gain - _best_gain(position.play(move)) <= _LARGEST_GAIN
        for move, gain in gains.items()
        if gain > _LARGEST_GAIN
    )


def _best_gain(position: Position) -> int:
    return max(material_gains(position).values(), default=0)
