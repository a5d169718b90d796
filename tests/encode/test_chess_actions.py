"""The 4,672 action slots of chess, restated from their definition."""

import chess

from milton.games import GameSpec, Position

Pair = tuple[Position, chess.Board]

# (file, rank) steps in the order of the definition.
COMPASS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
UNDERPROMOTIONS = [chess.KNIGHT, chess.BISHOP, chess.ROOK]


def all_slots() -> list[tuple[str, int, int]]:
    """What each of the 73 kinds means: queen-like, knight or underpromotion, then its two numbers."""
    queen = [("step", dx * distance, dy * distance) for dx, dy in COMPASS for distance in range(1, 8)]
    knight = [("step", dx, dy) for dx, dy in KNIGHT]
    under = [("under", piece, dx) for piece in UNDERPROMOTIONS for dx in (-1, 0, 1)]
    return queen + knight + under


SLOTS = all_slots()


def restated_action(board: chess.Board, move: chess.Move) -> int:
    def turned(square: int) -> int:
        return square if board.turn == chess.WHITE else chess.square_mirror(square)

    origin, target = turned(move.from_square), turned(move.to_square)
    dx = chess.square_file(target) - chess.square_file(origin)
    dy = chess.square_rank(target) - chess.square_rank(origin)
    under = move.promotion in UNDERPROMOTIONS
    slot = ("under", int(move.promotion or 0), dx) if under else ("step", dx, dy)
    return SLOTS.index(slot) * 64 + origin


def test_there_are_73_kinds_on_64_squares() -> None:
    assert len(set(SLOTS)) == 73
    assert GameSpec.of("chess").num_actions == 73 * 64


def test_every_legal_move_has_its_slot(pairs: list[Pair]) -> None:
    for position, board in pairs:
        for move in board.legal_moves:
            assert position.action_of(move.uci()) == restated_action(board, move), (board.fen(), move)


def test_known_slots() -> None:
    start = Position.start("chess")
    assert start.action_of("e2e4") == 1 * 64 + chess.E2  # north by two
    assert start.action_of("g1f3") == (56 + 7) * 64 + chess.G1
    # Black sees the same from the other side.
    assert start.play("a2a3").action_of("e7e5") == start.action_of("e2e4")
    promotion = Position.from_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert promotion.action_of("a7a8q") == 0 * 64 + chess.A7
    assert promotion.action_of("a7a8r") == (64 + 2 * 3 + 1) * 64 + chess.A7
    assert promotion.move_of(64 * 64 + 64 + chess.A7) == "a7a8n"
