"""Random games beside python-chess: legal moves, FEN, SAN, check and outcome agree at every step."""

import random

import chess
import pytest

from milton.games import Outcome, Position

REASON_OF = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient_material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventyfive_moves",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold_repetition",
}


def expected_outcome(board: chess.Board) -> Outcome | None:
    end = board.outcome()
    if end is None:
        return None
    return Outcome(REASON_OF[end.termination], {True: "first", False: "second", None: None}[end.winner])


def claimable(board: chess.Board) -> bool:
    """What stands on the board; python-chess's own can_claim_* also looks one move ahead."""
    return board.outcome() is not None or board.is_fifty_moves() or board.is_repetition(3)


def assert_same(position: Position, board: chess.Board) -> list[str]:
    moves = position.legal_moves()
    assert position.fen == board.fen(en_passant="legal")
    assert sorted(moves) == sorted(move.uci() for move in board.legal_moves), board.fen()
    assert position.in_check == board.is_check()
    assert position.outcome() == expected_outcome(board), board.fen()
    if position.line.repetitions or board.halfmove_clock >= 100:
        assert (position.outcome(claim_draws=True) is not None) == claimable(board), board.fen()
    return moves


def choose(moves: list[str], board: chess.Board, rng: random.Random, retreat: float) -> str:
    """Any move, or with probability `retreat` the own last one back, so that positions repeat."""
    if len(board.move_stack) >= 2 and rng.random() < retreat:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square).uci()
        if back in moves:
            return back
    return rng.choice(moves)


def random_endgame(rng: random.Random) -> chess.Board:
    """A few pieces anywhere: promotions, stalemates and dead positions are near."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), rng.randrange(3, 8))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            board.set_piece_at(square, chess.Piece(rng.randrange(1, 6), rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        board.halfmove_clock = rng.choice([0, 0, 90, 140])
        if board.is_valid():
            return board


def follow_games(num_positions: int, seed: int) -> tuple[int, set[str]]:
    rng = random.Random(seed)
    compared, reasons = 0, set()
    while compared < num_positions:
        board = random_endgame(rng) if rng.random() < 0.7 else chess.Board()
        position = Position.from_fen(board.fen())
        retreat = rng.choice([0.1, 0.95])
        while True:
            moves = assert_same(position, board)
            compared += 1
            end = position.outcome()
            if end is not None:
                reasons.add(end.reason)
                break
            move = choose(moves, board, rng, retreat)
            position = position.play(move)
            board.push_uci(move)
    return compared, reasons


@pytest.mark.parametrize(
    ("num_positions", "seed"), [(8_000, 1), pytest.param(100_000, 2, marks=pytest.mark.slow)]
)
def test_random_games_agree_with_python_chess(num_positions: int, seed: int) -> None:
    compared, reasons = follow_games(num_positions, seed)
    assert compared >= num_positions
    assert reasons == set(REASON_OF.values()), "the sample reaches every automatic ending"


def test_san_agrees_with_python_chess_both_ways() -> None:
    rng = random.Random(3)
    for _ in range(60):
        board = random_endgame(rng) if rng.random() < 0.5 else chess.Board()
        for _ in range(60):
            if board.outcome() is not None:
                break
            position = Position.from_fen(board.fen())
            for move in board.legal_moves:
                san = board.san(move)
                assert position.san(move.uci()) == san
                assert position.parse(san) == move.uci()
            board.push(rng.choice(list(board.legal_moves)))
