"""Traits are what their names say: compared with slow restatements on positions of random games."""

import random

import chess
import numpy as np
import pytest

from milton.coach import CATEGORIES, measure, traits_of
from milton.config import GAME_NAMES
from milton.errors import CoachError
from milton.games import Position


def random_positions(game: str, count: int, seed: int = 1) -> list[Position]:
    chooser = random.Random(seed)
    position, found = Position.start(game), []
    while len(found) < count:
        found.append(position)
        moves = position.legal_moves()
        is_over = not moves or position.outcome(claim_draws=True) is not None
        position = Position.start(game) if is_over else position.play(chooser.choice(moves))
    return found


def traits(position: Position) -> dict[str, int]:
    packed = np.frombuffer(position.pack(), dtype=np.uint8)[None]
    return dict(zip(traits_of(position.game), measure(position.game, packed)[0].tolist(), strict=True))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_number_lies_within_the_bounds_of_its_trait(game):
    packed = np.stack([np.frombuffer(p.pack(), np.uint8) for p in random_positions(game, 3000)])
    measured = measure(game, packed)
    for trait in traits_of(game).values():
        column = measured[:, trait.index]
        assert trait.lowest <= column.min() <= column.max() <= trait.highest, trait
        assert trait.category in CATEGORIES
        assert column.min() < column.max(), f"{trait.name} never varies"


def own_and_opponent(board: chess.Board, count) -> tuple[int, int]:
    return count(board, board.turn), count(board, not board.turn)


def isolated(board: chess.Board, color: chess.Color) -> int:
    files = {chess.square_file(square) for square in board.pieces(chess.PAWN, color)}
    return sum(
        not files & {chess.square_file(square) - 1, chess.square_file(square) + 1}
        for square in board.pieces(chess.PAWN, color)
    )


def rank(square: int, color: chess.Color) -> int:
    return chess.square_rank(square) if color else 7 - chess.square_rank(square)


def doubled(board: chess.Board, color: chess.Color) -> int:
    pawns = list(board.pieces(chess.PAWN, color))
    return sum(
        any(chess.square_file(a) == chess.square_file(b) and rank(a, color) < rank(b, color) for b in pawns)
        for a in pawns
    )


def passed(board: chess.Board, color: chess.Color) -> int:
    own, other = (list(board.pieces(chess.PAWN, side)) for side in (color, not color))

    def is_free(pawn: int) -> bool:
        blockers = [b for b in other if abs(chess.square_file(b) - chess.square_file(pawn)) <= 1]
        ahead = [b for b in own if chess.square_file(b) == chess.square_file(pawn)]
        return not any(rank(b, color) > rank(pawn, color) for b in blockers + ahead)

    return sum(is_free(pawn) for pawn in own)


def king_attackers(board: chess.Board, color: chess.Color) -> int:
    king = board.king(color)
    assert king is not None
    zone = chess.SquareSet(chess.BB_KING_ATTACKS[king]) | chess.SquareSet([king])
    pieces = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
    return sum(bool(board.attacks(s) & zone) for kind in pieces for s in board.pieces(kind, not color))


def hanging(board: chess.Board, color: chess.Color) -> int:
    def is_hanging(square: int, piece: chess.Piece) -> bool:
        attackers = board.attackers(not color, square)
        by_pawn = piece.piece_type != chess.PAWN and bool(attackers & board.pieces(chess.PAWN, not color))
        return by_pawn or (bool(attackers) and not board.attackers(color, square))

    pieces = [(s, p) for s, p in board.piece_map().items() if p.color == color and p.piece_type != chess.KING]
    return sum(is_hanging(square, piece) for square, piece in pieces)


def open_files(board: chess.Board, color: chess.Color) -> int:
    king = board.king(color)
    assert king is not None
    pawns = {chess.square_file(square) for square in board.pieces(chess.PAWN, color)}
    middle = chess.square_file(king)
    return len({file for file in (middle - 1, middle, middle + 1) if 0 <= file < 8} - pawns)


def test_chess_traits_agree_with_python_chess():
    counts = {
        "isolated": isolated,
        "doubled": doubled,
        "passed": passed,
        "king_attackers": king_attackers,
        "hanging": hanging,
        "king_open_files": open_files,
        "rooks": lambda board, color: len(board.pieces(chess.ROOK, color)),
        "pawns": lambda board, color: len(board.pieces(chess.PAWN, color)),
    }
    for position in random_positions("chess", 400, seed=2):
        board, found = chess.Board(position.fen), traits(position)
        for name, count in counts.items():
            expected = own_and_opponent(board, count)
            assert (found[f"own_{name}"], found[f"opponent_{name}"]) == expected, (name, position.fen)
        assert found["in_check"] == board.is_check()
        assert found["ply"] == board.ply()
        assert found["halfmove_clock"] == board.halfmove_clock


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("r1bqk2r/8/8/8/8/8/8/R4RK1 w kq - 0 20", {"own_castling": 2, "opponent_castling": 1}),
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 60", {"own_castling": 0, "phase": 2, "material_balance": 0}),
        ("4k3/8/2b5/8/8/8/2B5/4K3 w - - 0 40", {"opposite_bishops": 0}),
        ("4k3/8/3b4/8/8/8/2B5/4K3 w - - 0 40", {"opposite_bishops": 1}),
        ("4k3/8/8/8/8/8/RR6/4K2q w - - 0 40", {"material_balance": 1, "imbalance": 18}),
        ("4k3/8/8/3p4/1p6/8/2P5/4K3 w - - 0 40", {"own_backward": 0, "own_isolated": 1}),
        ("4k3/8/8/1p6/3P4/8/2P5/4K3 w - - 0 40", {"own_backward": 0}),
        ("4k3/8/8/1p1P4/8/8/2P5/4K3 b - - 0 40", {"opponent_backward": 0}),
        ("4k3/8/8/3P4/1p6/8/2P5/4K3 w - - 0 40", {"own_backward": 1, "opponent_isolated": 1}),
    ],
)
def test_chess_traits_of_known_positions(fen, expected):
    found = traits(Position.from_fen(fen))
    assert {name: found[name] for name in expected} == expected


def test_the_side_to_move_is_own():
    white = traits(Position.from_fen("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 30"))
    black = traits(Position.from_fen("4k3/8/8/8/8/8/PPP5/4K3 b - - 0 30"))
    assert (white["own_pawns"], white["opponent_pawns"], white["material_balance"]) == (3, 0, 3)
    assert (black["own_pawns"], black["opponent_pawns"], black["material_balance"]) == (0, 3, -3)


def test_santorini_threats_are_winning_steps_and_steps_are_counted_once():
    num_threats = 0
    for position in random_positions("santorini", 1500, seed=3):
        found = traits(position)
        if found["placing"] or position.outcome() is not None:
            continue
        moves = position.legal_moves()  # b2c3d4 builds on d4, b2c3 wins
        assert found["own_threats"] == len({move[2:] for move in moves if len(move) == 4}), position.text
        assert found["own_mobility"] >= len({move[2:4] for move in moves})
        assert found["own_climbs"] >= found["own_threats"]
        assert found["tempo"] == found["own_climbs"] - found["opponent_climbs"]
        assert found["mobility_balance"] == found["own_mobility"] - found["opponent_mobility"]
        num_threats += found["own_threats"]
    assert num_threats > 0


def test_connect_four_wins_are_winning_moves():
    for position in random_positions("connect_four", 400, seed=4):
        if position.outcome() is not None:
            continue
        wins = [m for m in position.legal_moves() if (end := position.play(m).outcome()) and end.winner]
        assert traits(position)["own_wins"] == len(wins), position.text


def test_an_unknown_trait_is_refused_with_the_known_ones():
    from milton.coach.traits import trait_of

    with pytest.raises(CoachError, match=r"own_passed.*got 'passed_pawns'"):
        trait_of("chess", "passed_pawns")
