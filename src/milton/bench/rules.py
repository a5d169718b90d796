"""How fast the rules are: move trees and random games."""

from collections.abc import Iterator
from functools import partial

import chess as python_chess

from milton.bench.measurement import Measurement, best_seconds
from milton.games import GAME_NAMES, core_game

NUM_REPEATS = 3
PLAYOUT_SEED = 1


def _python_chess_perft(board: python_chess.Board, depth: int) -> int:
    """Counts the last ply in bulk, as the core does."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _python_chess_perft(board, depth - 1)
        board.pop()
    return nodes


def measure_perft(quick: bool) -> Iterator[Measurement]:
    """Chess from the start position, next to python-chess in the same run."""
    core = core_game("chess")
    depth, python_depth = (4, 2) if quick else (6, 4)
    line, board = core.Line.start(), python_chess.Board()
    nodes = core.perft(line, depth)
    python_nodes = core.perft(line, python_depth)
    speed = nodes / best_seconds(lambda: core.perft(line, depth), NUM_REPEATS)
    python_speed = python_nodes / best_seconds(lambda: _python_chess_perft(board, python_depth), NUM_REPEATS)
    best = f"start position, bulk counting, best of {NUM_REPEATS}"
    yield Measurement("chess perft", speed, "nodes/s", f"depth {depth}, {best}")
    yield Measurement("python-chess perft", python_speed, "nodes/s", f"depth {python_depth}, {best}")
    yield Measurement(
        "chess perft / python-chess perft", speed / python_speed, "times", "the two lines above"
    )


def measure_playouts(quick: bool) -> Iterator[Measurement]:
    """Whole games of uniformly random moves, for each game."""
    num_games = 100 if quick else 3000
    for name in GAME_NAMES:
        play_games = partial(core_game(name).random_playouts, num_games, PLAYOUT_SEED)
        plies = play_games()["plies"]
        seconds = best_seconds(play_games, NUM_REPEATS)
        how = f"{num_games} random games, seed {PLAYOUT_SEED}, best of {NUM_REPEATS}"
        yield Measurement(f"{name} playouts", num_games / seconds, "games/s", how)
        yield Measurement(f"{name} playout plies", plies / seconds, "plies/s", how)
