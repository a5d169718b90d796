"""Compares a player with perfect play, in games that are solved. Knows no network and no search.

Connect Four is solved by `bitbully` (PyPI), an optional package: a solver with a book of openings.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from milton.arena import Score
from milton.errors import ArgumentError, ExtraMissingError
from milton.games import Position

SOLVED_GAME = "connect_four"
_COLUMNS = "abcdefg"
_OPENING_PLIES = (4, 10)  # of openings that are to be won, least and most

Chooser = Callable[[Position], str]


class Solver(Protocol):
    def scores(self, moves: Sequence[str]) -> dict[str, int]:
        """By legal move after `moves`: above 0 won for the mover, 0 drawn, below lost; more is quicker."""


class BitBullySolver:
    """Connect Four by bitbully's search and its book of positions with twelve stones."""

    def __init__(self) -> None:
        try:
            from bitbully import BitBully, Board
        except ImportError as error:
            raise ExtraMissingError(
                "perfect play needs the package bitbully: pip install bitbully"
            ) from error
        self._board, self._solver = Board, BitBully(opening_book="12-ply-dist")

    def scores(self, moves: Sequence[str]) -> dict[str, int]:
        board = self._board([_COLUMNS.index(move) for move in moves])
        found = self._solver.score_all_moves(board)
        return {_COLUMNS[column]: int(score) for column, score in found.items()}


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """A position of a game together with what every move is worth."""

    position: Position
    scores: dict[str, int]

    @property
    def best(self) -> int:
        return max(self.scores.values())

    def keeps_result(self, move: str) -> bool:
        return _sign(self.scores[move]) == _sign(self.best)

    @property
    def matters(self) -> bool:
        """Whether a move can give something away."""
        return not all(self.keeps_result(move) for move in self.scores)


@dataclass(frozen=True, slots=True)
class OptimalShare:
    """How often a player chose a move that keeps the result of perfect play."""

    num_positions: int
    num_kept: int
    num_quickest: int  # also wins as soon, or loses as late, as possible
    num_matter: int  # positions where a move can give something away
    num_matter_kept: int

    @property
    def kept(self) -> float:
        return self.num_kept / max(1, self.num_positions)

    @property
    def quickest(self) -> float:
        return self.num_quickest / max(1, self.num_positions)

    @property
    def matter_kept(self) -> float:
        return self.num_matter_kept / max(1, self.num_matter)


def balanced_positions(
    solver: Solver, count: int, *, seed: int, max_random_plies: int = 8
) -> Iterator[SolvedPosition]:
    """Distinct positions of games that start at random and continue with moves that keep the result."""
    chooser, seen = random.Random(seed), set[str]()
    while len(seen) < count:
        moves = _random_moves(chooser, chooser.randint(0, max_random_plies))
        position = _after(moves)
        while position.outcome() is None and len(seen) < count:
            solved = SolvedPosition(position, solver.scores(moves))
            if position.text not in seen:
                seen.add(position.text)
                yield solved
            moves = [*moves, chooser.choice([move for move in solved.scores if solved.keeps_result(move)])]
            position = position.play(moves[-1])


def measure_optimal(positions: Sequence[SolvedPosition], choose: Chooser) -> OptimalShare:
    if not positions:
        raise ArgumentError("expected positions to choose moves in, got none")
    num_kept = num_quickest = num_matter = num_matter_kept = 0
    for solved in positions:
        move = choose(solved.position)
        kept = solved.keeps_result(move)
        num_kept += kept
        num_quickest += solved.scores[move] == solved.best
        num_matter += solved.matters
        num_matter_kept += kept and solved.matters
    return OptimalShare(len(positions), num_kept, num_quickest, num_matter, num_matter_kept)


def play_won_openings(solver: Solver, choose: Chooser, count: int, *, seed: int) -> Score:
    """The player's results from random openings that it can win, against perfect play."""
    chooser, results = random.Random(seed), list[int]()
    while len(results) < count:
        moves = _random_moves(chooser, chooser.randint(*_OPENING_PLIES))
        scores = solver.scores(moves)
        if max(scores.values()) > 0 >= min(scores.values()):
            results.append(_play_on(solver, choose, moves))
    return Score(results.count(1), results.count(0), results.count(-1))


def _play_on(solver: Solver, choose: Chooser, moves: list[str]) -> int:
    """1, 0 or -1 for the player, who is to move."""
    position = _after(moves)
    player = position.side_to_move
    while (outcome := position.outcome()) is None:
        if position.side_to_move == player:
            move = choose(position)
        else:
            scores = solver.scores(moves)
            move = max(scores, key=scores.__getitem__)
        moves = [*moves, move]
        position = position.play(move)
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner == player else -1


def _random_moves(chooser: random.Random, count: int) -> list[str]:
    """Moves of a game that is not over after them."""
    while True:
        position, moves = Position.start(SOLVED_GAME), list[str]()
        while len(moves) < count and position.outcome() is None:
            moves.append(chooser.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if position.outcome() is None:
            return moves


def _after(moves: Sequence[str]) -> Position:
    return Position.start(SOLVED_GAME).play_all(moves)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
