"""Perft against published figures (chessprogramming.org/Perft_Results) and against python-chess."""

import random

import chess
import pytest

from milton.games import Position, divide, perft

# Leaves at depth 1, 2, ...
PUBLISHED = {
    "start": (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        [20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    "position 3": (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        [14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    "position 4": (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        [6, 264, 9_467, 422_333, 15_833_292],
    ),
    "position 5": (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    "position 6": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_figures(name: str) -> None:
    fen, leaves = PUBLISHED[name]
    position = Position.from_fen(fen)
    assert [perft(position, depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_the_mirrored_position_has_the_same_figures() -> None:
    fen, leaves = PUBLISHED["position 4"]
    mirrored = Position.from_fen(chess.Board(fen).mirror().fen())
    assert [perft(mirrored, depth) for depth in range(1, 5)] == leaves[:4]


def oracle_divide(board: chess.Board, depth: int) -> dict[str, int]:
    leaves = {}
    for move in board.legal_moves:
        board.push(move)
        leaves[move.uci()] = oracle_perft(board, depth - 1)
        board.pop()
    return leaves


def oracle_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += oracle_perft(board, depth - 1)
        board.pop()
    return leaves


def random_boards(num_boards: int, seed: int) -> list[chess.Board]:
    """Random games cut at a random ply, where there is still a move to make."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < num_boards:
        board = chess.Board()
        for _ in range(rng.randrange(1, 200)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if any(board.legal_moves):
            boards.append(board)
    return boards


@pytest.mark.parametrize(
    ("num_boards", "depth", "seed"),
    [(100, 2, 1), pytest.param(2_000, 3, 2, marks=pytest.mark.slow)],
)
def test_random_positions_agree_with_python_chess(num_boards: int, depth: int, seed: int) -> None:
    for board in random_boards(num_boards, seed):
        assert divide(Position.from_fen(board.fen()), depth) == oracle_divide(board, depth), board.fen()
