"""Dense planes of chess against a slow restatement of docs/encoders.md with python-chess."""

import chess
import numpy as np
from numpy.typing import NDArray

from milton.games import GameSpec, Position

Pair = tuple[Position, chess.Board]
Plane = NDArray[np.float32]


def plane_of(board: chess.Board, value_of_square: dict[int, float]) -> Plane:
    """A plane with the mover's first rank as row 0 and file a as column 0."""
    plane = np.zeros((8, 8), np.float32)
    for square, value in value_of_square.items():
        rank, file = chess.square_rank(square), chess.square_file(square)
        plane[rank if board.turn == chess.WHITE else 7 - rank, file] = value
    return plane


def full(value: float) -> Plane:
    return np.full((8, 8), value, np.float32)


def own_and_opponent(board: chess.Board) -> list[Plane]:
    return [
        plane_of(board, dict.fromkeys(board.pieces(piece_type, colour), 1.0))
        for colour in (board.turn, not board.turn)
        for piece_type in chess.PIECE_TYPES
    ]


def times_before(board: chess.Board) -> int:
    """How often the position stood before."""
    return next(count for count in range(10) if not board.is_repetition(count + 2))


def en_passant(board: chess.Board) -> Plane:
    return plane_of(board, {board.ep_square: 1.0} if board.ep_square and board.has_legal_en_passant() else {})


def planes12(board: chess.Board) -> list[Plane]:
    return own_and_opponent(board)


def planes18(board: chess.Board) -> list[Plane]:
    castling = []
    for colour in (board.turn, not board.turn):
        rank = chess.BB_RANK_1 if colour == chess.WHITE else chess.BB_RANK_8
        rooks = chess.SquareSet(board.castling_rights & rank)
        castling.append(plane_of(board, dict.fromkeys(rooks, 1.0)))
    return [
        *own_and_opponent(board),
        *castling,
        en_passant(board),
        full(1.0 if board.turn == chess.WHITE else 0.0),
        full(min(board.halfmove_clock / 100, 1.0)),
        full(min(times_before(board), 2) / 2),
    ]


def planes19(board: chess.Board) -> list[Plane]:
    rights = [
        has_right(colour)
        for colour in (board.turn, not board.turn)
        for has_right in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    can_claim = board.halfmove_clock >= 100 or times_before(board) >= 2
    return [
        *own_and_opponent(board),
        *(full(float(right)) for right in rights),
        en_passant(board),
        full(float(board.turn == chess.WHITE)),
        full(float(can_claim)),
    ]


def planes34(board: chess.Board) -> list[Plane]:
    colours = (chess.WHITE, chess.BLACK)
    sign = {chess.WHITE: 1, chess.BLACK: -1}

    def attack_count(square: int, colour: chess.Color, piece_types: list[int]) -> int:
        attackers = [board.piece_type_at(s) for s in board.attackers(colour, square)]
        return sign[colour] * sum(attackers.count(piece_type) for piece_type in piece_types)

    def attack_plane(wanted: tuple[chess.Color, ...], piece_types: list[int]) -> Plane:
        counts = {s: float(sum(attack_count(s, c, piece_types) for c in wanted)) for s in chess.SQUARES}
        return plane_of(board, counts)

    every_type = list(chess.PIECE_TYPES)
    pieces = [
        plane_of(board, dict.fromkeys(board.pieces(piece_type, colour), float(sign[colour])))
        for colour in colours
        for piece_type in every_type
    ]
    by_piece = [attack_plane((colour,), [piece_type]) for colour in colours for piece_type in every_type]
    by_type = [attack_plane(colours, [piece_type]) for piece_type in every_type]
    total = attack_plane(colours, every_type)
    by_colour = [attack_plane((colour,), every_type) for colour in colours]
    mobility = plane_of(board, {square: float(len(board.attacks(square))) for square in chess.SQUARES})
    return [*pieces, *by_piece, *by_type, total, *by_colour, mobility]


def assert_planes(encoder: str, expected: list[Plane], position: Position) -> None:
    got = position.planes(encoder)
    assert got.shape == GameSpec.of("chess").planes[encoder] == (len(expected), 8, 8)
    for index, plane in enumerate(expected):
        assert np.array_equal(got[index], plane), f"{encoder} plane {index} of {position.fen}"


def test_planes12(pairs: list[Pair]) -> None:
    for position, board in pairs:
        assert_planes("planes12", planes12(board), position)


def test_planes18(pairs: list[Pair]) -> None:
    for position, board in pairs:
        assert_planes("planes18", planes18(board), position)


def test_planes19(pairs: list[Pair]) -> None:
    for position, board in pairs:
        assert_planes("planes19", planes19(board), position)
        assert set(np.unique(position.planes("planes19"))) <= {0.0, 1.0}


def test_planes34(pairs: list[Pair]) -> None:
    for position, board in pairs[::8] + pairs[:9]:
        assert_planes("planes34", planes34(board), position)


def test_the_mirrored_position_looks_the_same_to_its_mover(pairs: list[Pair]) -> None:
    for _, board in pairs[::10]:
        position, mirrored = Position.from_fen(board.fen()), Position.from_fen(board.mirror().fen())
        assert np.array_equal(position.planes("planes12"), mirrored.planes("planes12"))
        own, other = position.planes("planes18"), mirrored.planes("planes18")
        side_to_move = 15
        assert np.array_equal(np.delete(own, side_to_move, axis=0), np.delete(other, side_to_move, axis=0))
