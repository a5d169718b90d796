"""Sparse features and policy rows of chess, restated from their definition with python-chess."""

import chess

from milton.games import GameSpec, Position

Pair = tuple[Position, chess.Board]
SPEC = GameSpec.of("chess")


def seen_square(board: chess.Board, square: int) -> int:
    """From the mover's side, mirrored so that the own king stands on files a-d."""
    if board.turn == chess.BLACK:
        square = chess.square_mirror(square)
    king = board.king(board.turn)
    assert king is not None
    if chess.square_file(king) >= 4:
        square = chess.square(7 - chess.square_file(square), chess.square_rank(square))
    return square


def restated_features(board: chess.Board) -> list[int]:
    features = []
    for square, piece in board.piece_map().items():
        side = int(piece.color != board.turn)
        attacked = board.is_attacked_by(not piece.color, square)
        defended = board.is_attacked_by(piece.color, square)
        row = (side * 6 + piece.piece_type - 1) * 64 + seen_square(board, square)
        features.append(row * 4 + attacked * 2 + defended)
    for rook in chess.SquareSet(board.castling_rights):
        side = int(board.color_at(rook) != board.turn)
        wing = int(chess.square_file(seen_square(board, rook)) == 7)
        features.append(3072 + side * 2 + wing)
    if board.ep_square and board.has_legal_en_passant():
        features.append(3076 + chess.square_file(seen_square(board, board.ep_square)))
    for square in chess.SQUARES:
        own = min(2, len(board.attackers(board.turn, square)))
        theirs = min(2, len(board.attackers(not board.turn, square)))
        if own or theirs:
            features.append(3084 + (own * 3 + theirs - 1) * 64 + seen_square(board, square))
    for square, piece in board.piece_map().items():
        side = int(piece.color != board.turn)
        for target in board.attacks(square) & board.occupied_co[not piece.color]:
            pair = (side * 6 + piece.piece_type - 1) * 6 + (board.piece_type_at(target) or 0) - 1
            features.append(3596 + pair * 64 + seen_square(board, target))
    return features


def reach_on_an_empty_board(piece_type: int, square: int) -> set[int]:
    empty = chess.Board(None)
    empty.set_piece_at(square, chess.Piece(piece_type, chess.WHITE))
    reach = set(empty.attacks(square))
    if piece_type == chess.PAWN:
        if chess.square_rank(square) in (0, 7):
            return set()
        reach.add(square + 8)
        if chess.square_rank(square) == 1:
            reach.add(square + 16)
    if piece_type == chess.KING and square == chess.D1:
        reach |= {chess.B1, chess.F1}  # castling, always seen from the mirrored side
    return reach


# (piece, from, to, promotion) of every row, and (from, to) or (from, to, promotion) of every first part.
MoveKey = tuple[int, int, int, int]


def all_rows() -> list[MoveKey]:
    rows = []
    for piece_type in chess.PIECE_TYPES:
        for origin in chess.SQUARES:
            promotes = piece_type == chess.PAWN and chess.square_rank(origin) == 6
            for target in sorted(reach_on_an_empty_board(piece_type, origin)):
                promotions = range(chess.KNIGHT, chess.QUEEN + 1) if promotes else [0]
                rows += [(piece_type, origin, target, promotion) for promotion in promotions]
    return rows


def all_first_parts() -> list[tuple[int, int, int]]:
    steps = [
        (origin, target, 0)
        for origin in chess.SQUARES
        for target in sorted(
            reach_on_an_empty_board(chess.QUEEN, origin) | reach_on_an_empty_board(chess.KNIGHT, origin)
        )
    ]
    return steps + [row[1:] for row in all_rows() if row[3]]


ROW_INDEX = {row: index for index, row in enumerate(all_rows())}
FIRST_PART_INDEX = {part: index for index, part in enumerate(all_first_parts())}


def key_of(board: chess.Board, move: chess.Move) -> MoveKey:
    piece_type = board.piece_type_at(move.from_square)
    assert piece_type is not None
    return (
        piece_type,
        seen_square(board, move.from_square),
        seen_square(board, move.to_square),
        move.promotion or 0,
    )


def test_sizes() -> None:
    assert SPEC.sparse_encoder("sparse").groups == (("pieces", 2 * 6 * 64 * 4 + 4 + 8, 37),)
    assert SPEC.sparse_encoder("sparse-attacks").num_features == 3084 + 8 * 64
    assert SPEC.sparse_encoder("sparse-captures").num_features == 3084 + 8 * 64 + 2 * 6 * 6 * 64
    assert SPEC.num_policy_rows == len(ROW_INDEX)
    assert SPEC.num_policy_parts == len(FIRST_PART_INDEX) + 6 * 64


def test_features(pairs: list[Pair]) -> None:
    for position, board in pairs:
        expected = sorted(restated_features(board))
        for encoder, num_features in (("sparse", 3084), ("sparse-attacks", 3596), ("sparse-captures", 8204)):
            active = position.line.active_features(encoder).tolist()
            assert sorted(active) == [row for row in expected if row < num_features], board.fen()


def test_policy_rows(pairs: list[Pair]) -> None:
    for position, board in pairs:
        moves = [chess.Move.from_uci(text) for text in position.legal_moves()]
        expected = [ROW_INDEX[key_of(board, move)] for move in moves]
        assert position.line.policy_rows().tolist() == expected, board.fen()


def test_policy_parts(pairs: list[Pair]) -> None:
    for position, board in pairs:
        expected = []
        for text in position.legal_moves():
            piece_type, origin, target, promotion = key_of(board, chess.Move.from_uci(text))
            piece_to = len(FIRST_PART_INDEX) + (piece_type - 1) * 64 + target
            expected.append([FIRST_PART_INDEX[origin, target, promotion], piece_to])
        assert position.line.policy_parts().tolist() == expected, board.fen()


def test_the_other_side_sees_the_mirrored_position_alike(pairs: list[Pair]) -> None:
    for _, board in pairs[::10]:
        own = Position.from_fen(board.fen()).line
        other = Position.from_fen(board.mirror().fen()).line
        for encoder in SPEC.sparse_encoders:
            assert sorted(own.active_features(encoder)) == sorted(other.active_features(encoder))
        assert sorted(own.policy_rows()) == sorted(other.policy_rows())
        assert sorted(own.move_contexts().tolist()) == sorted(other.move_contexts().tolist())


def test_captures_count_each_attacker_and_end_somewhere() -> None:
    def captures(fen: str) -> list[int]:
        features = Position.from_fen(fen).line.active_features("sparse-captures").tolist()
        return [row for row in features if row >= 3596]

    pawn_by_rook = 3596 + (3 * 6 + 0) * 64 + 35
    assert captures("k7/8/8/3p4/8/8/8/K2RR3 w - - 0 1") == [pawn_by_rook]
    assert captures("k2r4/8/8/3p4/8/8/3R4/K2R4 w - - 0 1") == [pawn_by_rook]  # not through a piece
    assert captures("6k1/8/8/R2p3R/8/8/8/K7 w - - 0 1") == 2 * [pawn_by_rook]
    # Nine queens each among rooks, bishops and knights: 95 attacks.
    board = chess.Board("2qQr1n1/R1bqN3/qQnQq1BN/3rQq1q/BQ2qQQ1/QqbQ1qR1/8/K6k w - - 0 1")
    assert len(captures(board.fen())) == 64 < sum(row >= 3596 for row in restated_features(board))
