"""The byte layout of packed chess positions, restated; hostile bytes are refused."""

import struct

import chess
import pytest

from milton.errors import NotationError
from milton.games import GameSpec, Position

Pair = tuple[Position, chess.Board]

START = Position.start("chess").pack()


def restated_pack(board: chess.Board, repetitions: int) -> bytes:
    codes = [
        piece.piece_type - 1 + (0 if piece.color == chess.WHITE else 6)
        for _, piece in sorted(board.piece_map().items())
    ]
    codes += [0] * (32 - len(codes))
    nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))
    rights = sum(
        bit
        for bit, right in (
            (2, board.has_kingside_castling_rights(chess.WHITE)),
            (4, board.has_queenside_castling_rights(chess.WHITE)),
            (8, board.has_kingside_castling_rights(chess.BLACK)),
            (16, board.has_queenside_castling_rights(chess.BLACK)),
        )
        if right
    )
    state = (board.turn == chess.BLACK) | rights | repetitions << 5
    file = chess.square_file(board.ep_square) if board.ep_square and board.has_legal_en_passant() else 8
    tail = struct.pack("<BBBH", state, file, board.halfmove_clock, board.fullmove_number)
    return struct.pack("<Q", board.occupied) + nibbles + tail


def times_before(board: chess.Board) -> int:
    return next(count for count in range(10) if not board.is_repetition(count + 2))


def test_layout(pairs: list[Pair]) -> None:
    for position, board in pairs:
        assert position.pack() == restated_pack(board, min(times_before(board), 3))


def test_a_packed_position_is_small() -> None:
    assert len(START) == GameSpec.of("chess").packed_bytes <= 32


def changed(index: int, value: int, packed: bytes = START) -> bytes:
    return packed[:index] + bytes([value]) + packed[index + 1 :]


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"\xff" * 29, "at most 32"),
        (bytes(29), "fullmove number"),
        (changed(8, 0xFF), "0..11"),
        (changed(24, START[24] | 0x80), "castling rights"),
        (changed(25, 9), "en passant file"),
        (changed(25, 4), "en passant"),
        (changed(27, 0), "fullmove number"),
        (changed(28, 0xFF), "fullmove number"),
        (changed(0, 0xEF), "unused piece"),
        (changed(8, 0x10), "9 pawns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_bytes_are_refused(packed: bytes, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Position.unpack("chess", packed)


def test_an_en_passant_file_without_a_legal_capture_is_refused() -> None:
    after = Position.start("chess").play("e2e4").pack()
    with pytest.raises(NotationError, match="no legal capture"):
        Position.unpack("chess", changed(25, 4, after))
