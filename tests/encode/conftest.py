"""Chess positions to encode, each with the python-chess board that the restatements read."""

import random

import chess
import pytest

from milton.games import Position

Pair = tuple[Position, chess.Board]

# Rights, en passant on both sides, promotions, counters at their ends.
SPECIAL_FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 99 7",
    "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "rnbqkbnr/pppp1ppp/8/8/3Pp2P/8/PPP1PPP1/RNBQKBNR b KQkq d3 0 3",
    "1n2k1n1/P1P4P/8/8/8/8/p1p4p/1N2K1N1 w - - 100 60",
    "1n2k1n1/P1P4P/8/8/8/8/p1p4p/1N2K1N1 b - - 255 9999",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
    "QQQQQQQk/Q6p/8/8/8/8/8/K7 b - - 3 99",
)


def random_pairs(num_games: int, seed: int) -> list[Pair]:
    """Positions along random games, with their past: some of them repeat."""
    rng = random.Random(seed)
    pairs: list[Pair] = []
    for _ in range(num_games):
        position, board = Position.start("chess"), chess.Board()
        while position.outcome() is None and position.ply < 150:
            move = rng.choice(position.legal_moves())
            position, board = position.play(move), board.copy()
            board.push_uci(move)
            pairs.append((position, board))
    return pairs


def shuffled_pairs() -> list[Pair]:
    """The start position for the first to the fifth time."""
    position, board = Position.start("chess"), chess.Board()
    pairs = [(position, board)]
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 4:
        position, board = position.play(move), board.copy()
        board.push_uci(move)
        pairs.append((position, board))
    return pairs


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    special = [(Position.from_fen(fen), chess.Board(fen)) for fen in SPECIAL_FENS]
    return special + shuffled_pairs() + random_pairs(num_games=5, seed=11)
