"""What driver and workers say to each other, besides blocks of games: dictionaries of plain values."""

from typing import TypedDict

from milton.arena import MatchGame
from milton.selfplay import WirePractice

# name, SHA-256 of the checkpoint, simulations a move
WirePlayer = tuple[str, str, int]
# opening, a_moved_first, winner, end_reason, moves, values
WireGame = tuple[tuple[str, ...], bool, int, str, tuple[str, ...], tuple[float, ...]]


class Order(TypedDict):
    """What a worker's self-play does from now on. The weights travel beside it."""

    number: int  # a later order has a higher one
    sha256: str
    name: str  # of the network, as shards have it
    iteration: int
    resign_below: float
    practice: WirePractice | None  # positions to start games from
    is_paused: bool
    block_positions: int  # from this many on, games are sent at once
    max_waiting: int  # blocks kept for the driver before the worker waits


class Match(TypedDict):
    """The part of a match that is the same for all its openings but the seed."""

    a: WirePlayer
    b: WirePlayer
    max_plies: int
    temperature: float
    seed: int


def from_game(game: MatchGame) -> WireGame:
    return (game.opening, game.a_moved_first, game.winner, game.end_reason, game.moves, game.values)


def to_game(wire: WireGame) -> MatchGame:
    opening, a_moved_first, winner, end_reason, moves, values = wire
    return MatchGame(
        tuple(opening), bool(a_moved_first), int(winner), str(end_reason), tuple(moves), tuple(values)
    )
