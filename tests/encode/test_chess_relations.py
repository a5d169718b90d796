"""Features and contexts of chess that name no squares, restated from their definition with python-chess."""

from collections import Counter
from collections.abc import Callable

import chess
import pytest

from milton.games import GameSpec, Position

Pair = tuple[Position, chess.Board]
VIEW = GameSpec.of("chess").sparse_encoder("sparse-relations")
STARTS = {
    group.name: sum(before.num_features for before in VIEW.groups[:index])
    for index, group in enumerate(VIEW.groups)
}
# Nobody, pawn, knight or bishop, rook, queen, king; by python-chess's number of the piece type.
CLASS_OF = [0, 1, 2, 2, 3, 4, 5]
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
# Of each context: how many numbers it has, in the order of the contexts.
CONTEXT_SIZES = [432, 144, 288, 72, 180, 144, 72, 648]


def least_attacker(board: chess.Board, side: bool, square: int) -> int:
    classes = [CLASS_OF[board.piece_type_at(attacker) or 0] for attacker in board.attackers(side, square)]
    return min(classes, default=0)


def type_at(board: chess.Board, square: int) -> int:
    """As the core counts: a pawn is 0."""
    return (board.piece_type_at(square) or 0) - 1


def by_pawns(board: chess.Board, side: bool) -> set[int]:
    return {target for pawn in board.pieces(chess.PAWN, side) for target in board.attacks(pawn)}


def pins(board: chess.Board, side: bool) -> list[tuple[int, int, int]]:
    """(pinned type, slider, behind) of every slider of a side that looks through one piece."""
    found = []
    for slider in SLIDERS:
        for square in board.pieces(slider, side):
            for behind, target_type in enumerate((chess.KING, chess.QUEEN)):
                for target in board.pieces(target_type, not side):
                    empty = chess.Board(None)
                    empty.set_piece_at(square, chess.Piece(slider, side))
                    between = chess.SquareSet(chess.between(square, target)) & board.occupied
                    if target not in empty.attacks(square) or len(between) != 1:
                        continue
                    pinned = board.piece_at(between.pop())
                    if pinned and pinned.color != side and pinned.piece_type != chess.KING:
                        found.append((pinned.piece_type - 1, slider - chess.BISHOP, behind))
    return found


def is_passed(board: chess.Board, pawn: int, side: bool) -> bool:
    for other in board.pieces(chess.PAWN, not side):
        ahead = chess.square_rank(other) - chess.square_rank(pawn)
        near = abs(chess.square_file(other) - chess.square_file(pawn)) <= 1
        if near and (ahead > 0 if side else ahead < 0):
            return False
    return True


def restated_relations(board: chess.Board) -> list[int]:
    rows = []
    for view, side in enumerate((board.turn, not board.turn)):
        for square in chess.SquareSet(board.occupied_co[side]):
            kind = view * 6 + type_at(board, square)
            for victim in board.attacks(square) & board.occupied_co[not side]:
                pair = kind * 6 + type_at(board, victim)
                rows.append(STARTS["threats"] + pair * 6 + least_attacker(board, not side, victim))
            if kind % 6:
                room = board.attacks(square) - chess.SquareSet(board.occupied_co[side])
                count = min(15, len(set(room) - by_pawns(board, not side)))
                rows.append(STARTS["mobility"] + (view * 5 + kind % 6 - 1) * 16 + count)
        king = board.king(not side)
        assert king is not None
        ring = [square for square in board.attacks(king) if board.is_attacked_by(side, square)]
        weak = [square for square in ring if len(board.attackers(not side, square)) == 1]
        rows.append(STARTS["rings"] + view * 9 + len(ring))
        rows.append(STARTS["rings"] + 18 + view * 9 + len(weak))
        for pinned, slider, behind in pins(board, side):
            rows.append(STARTS["pins"] + ((view * 5 + pinned) * 3 + slider) * 2 + behind)
        for pawn in board.pieces(chess.PAWN, side):
            if is_passed(board, pawn, side):
                rank = chess.square_rank(pawn) if side else 7 - chess.square_rank(pawn)
                blocked = board.piece_at(pawn + (8 if side else -8)) is not None
                rows.append(STARTS["passed"] + (view * 8 + rank) * 2 + blocked)
        for kind in range(5):
            count = min(8, len(board.pieces(kind + 1, side)))
            rows.append(STARTS["material"] + (view * 5 + kind) * 9 + count)
    rows.append(STARTS["clock"] + min(9, board.halfmove_clock // 10))
    return rows


def test_relations(pairs: list[Pair]) -> None:
    for position, board in pairs:
        active = position.line.active_features("sparse-relations").tolist()
        assert active[: -(len(restated_relations(board)))] == position.line.active_features("sparse").tolist()
        relations = [row for row in active if row >= STARTS["threats"]]
        assert Counter(relations) == Counter(restated_relations(board)), board.fen()


def seen_by(board: chess.Board) -> Callable[[int], int]:
    """Squares in the order in which the mover sees them."""
    return lambda square: square if board.turn else chess.square_mirror(square)


def endangered(board: chess.Board) -> int | None:
    """The first of the strongest own pieces that are attacked and undefended, or attacked by weaker ones."""
    found: int | None = None
    for square in sorted(chess.SquareSet(board.occupied_co[board.turn]), key=seen_by(board)):
        strength = CLASS_OF[board.piece_type_at(square) or 0]
        attacker = least_attacker(board, not board.turn, square)
        if strength == 5 or not attacker:
            continue
        if board.is_attacked_by(board.turn, square) and attacker >= strength:
            continue
        if found is None or strength > CLASS_OF[board.piece_type_at(found) or 0]:
            found = square
    return found


def attacks_after(board: chess.Board, move: chess.Move) -> chess.SquareSet:
    """Of the moved piece, as if what it took were still in the way of nothing."""
    after = board.copy(stack=False)
    piece = after.remove_piece_at(move.from_square)
    assert piece is not None
    after.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
    return after.attacks(move.to_square)


def answer(board: chess.Board, move: chess.Move, target: int | None) -> int:
    if target is None:
        return 0
    attackers = board.attackers(not board.turn, target)
    if move.from_square == target:
        return 1
    if move.to_square in attackers:
        return 2
    if target in attacks_after(board, move):
        return 3
    return (
        4
        if move.to_square in chess.SquareSet(chess.between(min(attackers, key=seen_by(board)), target))
        else 0
    )


def uncovers_check(board: chess.Board, move: chess.Move) -> bool:
    king = board.king(not board.turn)
    assert king is not None
    for slider in SLIDERS:
        for square in board.pieces(slider, board.turn):
            empty = chess.Board(None)
            empty.set_piece_at(square, chess.Piece(slider, board.turn))
            between = chess.SquareSet(chess.between(square, king)) & board.occupied
            if king in empty.attacks(square) and set(between) == {move.from_square}:
                return move.to_square not in chess.SquareSet(chess.ray(move.from_square, king))
    return False


def restated_contexts(board: chess.Board, move: chess.Move) -> list[int]:
    us, them = board.turn, not board.turn
    kind = type_at(board, move.from_square)
    king = board.king(them)
    assert king is not None
    captured = 1 if board.is_en_passant(move) else type_at(board, move.to_square) + 1
    after = attacks_after(board, move)
    push = kind == 0 and chess.square_file(move.from_square) == chess.square_file(move.to_square)
    helpers = len(board.attackers(us, move.to_square) - chess.SquareSet([move.from_square]))
    castling = board.is_castling(move)
    defended = helpers > (1 if castling else 0)  # a castling king does not attack where it goes
    check = king in after or uncovers_check(board, move)
    hit = {board.piece_type_at(square) for square in after & board.occupied_co[them]}
    loose = any(
        not board.is_attacked_by(them, square) and square != king
        for square in after & board.occupied_co[them]
    )
    aims = (
        (chess.QUEEN in hit)
        | (chess.ROOK in hit) << 1
        | (not hit.isdisjoint({chess.KNIGHT, chess.BISHOP})) << 2
        | loose << 3
    )
    left = [
        type_at(board, square) + 1
        for square in board.attacks(move.from_square) & board.occupied_co[us]
        if board.is_attacked_by(them, square)
        and len(board.attackers(us, square)) == 1
        and square not in after
        and board.piece_type_at(square) != chess.KING
    ]
    target = endangered(board)
    before_king = chess.square_distance(move.from_square, king)
    after_king = chess.square_distance(move.to_square, king)
    room = after - chess.SquareSet(board.occupied_co[us])
    room_count = len(set(room) - by_pawns(board, them))
    enemies = min(2, len(board.attackers(them, move.to_square)))
    own = min(2, len(board.attackers(us, move.to_square)))
    own = own if push else max(own - 1, 0)
    own_from = board.is_attacked_by(us, move.from_square)
    return [
        ((kind * 6 + captured) * 6 + least_attacker(board, them, move.to_square)) * 2 + defended,
        ((kind * 6 + least_attacker(board, them, move.from_square)) * 2 + own_from) * 2 + check,
        (kind * 16 + aims) * 3 + min(2, len(after & board.attacks(king))),
        (kind * 6 + max(left, default=0)) * 2 + board.is_check(),
        (kind * 6 + (0 if target is None else type_at(board, target) + 1)) * 5 + answer(board, move, target),
        (kind * 8 + after_king) * 3 + (after_king >= before_king) + (after_king > before_king),
        kind * 12 + min(11, room_count),
        ((kind * 6 + captured) * 2 + bool(move.promotion)) * 9 + enemies * 3 + own,
    ]


def test_contexts(pairs: list[Pair]) -> None:
    starts = [sum(CONTEXT_SIZES[:index]) for index in range(8)]
    assert VIEW.num_contexts == sum(CONTEXT_SIZES)
    for position, board in pairs:
        for text, found in zip(position.legal_moves(), position.line.move_contexts().tolist(), strict=True):
            expected = restated_contexts(board, chess.Move.from_uci(text))
            assert found == [start + number for start, number in zip(starts, expected, strict=True)], (
                board.fen(),
                text,
            )


def test_every_kind_of_relation_and_context_occurs(pairs: list[Pair]) -> None:
    """The restatements above compare something only if the positions have it."""
    active = {
        row for position, _ in pairs for row in position.line.active_features("sparse-relations").tolist()
    }
    for group in VIEW.groups:
        rows = range(STARTS[group.name], STARTS[group.name] + group.num_features)
        assert len(active & set(rows)) > group.num_features // 12, group.name
    seen = [set(), set(), set(), set(), set(), set(), set(), set()]  # type: list[set[int]]
    for position, _ in pairs:
        for move in position.line.move_contexts().tolist():
            for numbers, number in zip(seen, move, strict=True):
                numbers.add(number)
    for numbers, size in zip(seen, CONTEXT_SIZES, strict=True):
        assert len(numbers) > size // 12


@pytest.mark.parametrize("plies", [0, 19, 20, 99])
def test_the_clock_counts_tens_of_plies(plies: int) -> None:
    line = Position.from_fen(f"4k3/8/8/8/8/8/R7/4K3 w - - {plies} 60").line
    assert line.active_features("sparse-relations")[-1] == STARTS["clock"] + min(9, plies // 10)
