"""Chess material, for the greedy baseline and for balanced openings. Knows no search."""

import chess

from milton.games import Position

_PIECE_VALUES = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}


def material_gains(position: Position) -> dict[str, int]:
    """Material that each legal move of a chess position wins at once: captures and promotions."""
    board = chess.Board(position.fen)
    gains = {}
    for move in position.legal_moves():
        parsed = chess.Move.from_uci(move)
        taken = chess.PAWN if board.is_en_passant(parsed) else board.piece_type_at(parsed.to_square)
        gain = _PIECE_VALUES[taken] if taken and not board.is_castling(parsed) else 0
        if parsed.promotion:
            gain += _PIECE_VALUES[parsed.promotion] - _PIECE_VALUES[chess.PAWN]
        gains[move] = gain
    return gains


def material_balance(board: chess.Board) -> int:
    """White's material minus Black's, in pawns."""
    return sum(
        value * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, value in _PIECE_VALUES.items()
    )
