"""Chess960 against python-chess: starts, perft, notation, packed positions; standard chess is as before."""

import random

import chess
import pytest

from milton.errors import ArgumentError, IllegalMoveError, NotationError
from milton.games import Position, divide, perft

# Positions where castling is easy to get wrong; python-chess counts their moves with chess960=True.
TRICKY = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",  # the king goes over the rook's corner
    "qrk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1",
    "8/8/8/8/8/8/8/qRK1k3 w B - 0 1",  # the rook shields the square where the king arrives
    "5rkr/8/8/8/8/8/8/5RKR w HFhf - 0 1",
]


def oracle_divide(board: chess.Board, depth: int) -> dict[str, int]:
    """Written as python-chess does: castling as king takes rook."""
    found = {}
    for move in list(board.legal_moves):
        board.push(move)
        found[move.uci()] = 1 if depth == 1 else sum(oracle_divide(board, depth - 1).values())
        board.pop()
    return found


def ours(position: Position, depth: int) -> dict[str, int]:
    return {position.chess960_uci(move): count for move, count in divide(position, depth).items()}


@pytest.mark.parametrize("fen", TRICKY)
def test_moves_are_those_of_python_chess(fen):
    board = chess.Board(fen, chess960=True)
    assert ours(Position.from_chess960_fen(fen), 3) == oracle_divide(board, 3)


@pytest.mark.parametrize("number", [0, 1, 518, 959, *random.Random(2).sample(range(960), 6)])
def test_starts_are_numbered_as_everywhere(number):
    position, board = Position.chess960_start(number), chess.Board.from_chess960_pos(number)
    assert position.fen.split()[0] == board.board_fen()
    assert ours(position, 2) == oracle_divide(board, 2)
    assert position == Position.from_chess960_fen(board.fen()) == Position.from_fen(board.shredder_fen())


def test_the_usual_start_is_one_of_them():
    assert Position.chess960_start(518) == Position.start("chess")
    assert Position.chess960_start(518).pack() == Position.start("chess").pack()


@pytest.mark.parametrize("number", [-1, 960])
def test_other_numbers_are_refused(number):
    with pytest.raises(ArgumentError, match="0 to 959"):
        Position.chess960_start(number)


def test_random_games_agree_with_python_chess_move_by_move():
    choose = random.Random(11)
    num_castlings = 0
    for _ in range(25):
        number = choose.randrange(960)
        board, position = chess.Board.from_chess960_pos(number), Position.chess960_start(number)
        while not board.is_game_over() and board.ply() < 60:
            legal = list(board.legal_moves)
            castling = [move for move in legal if board.is_castling(move)]
            move = choose.choice(castling or legal)
            num_castlings += bool(castling)
            assert sorted(position.chess960_uci(m) for m in position.legal_moves()) == sorted(
                m.uci() for m in legal
            )
            text = move.uci()
            assert position.san(text) == board.san(move)
            assert position.parse(board.san(move)) == position.parse(text)
            after = position.play(text)
            board.push(move)
            assert after == Position.from_text("chess", after.text) == Position.unpack("chess", after.pack())
            assert after.line.hash == Position.from_text("chess", after.text).line.hash
            assert len({after.action_of(m) for m in after.legal_moves()}) == len(after.legal_moves())
            assert len(set(after.line.policy_rows())) == len(after.legal_moves())
            assert {after.line.move_from_bits(after.line.move_bits(m)) for m in after.legal_moves()} == set(
                after.legal_moves()
            )
            position = after
        assert position.fen.split()[0] == board.board_fen()
    assert num_castlings > 15


def test_a_network_sees_the_kings_way_not_a_capture_of_the_rook():
    unusual = Position.from_fen("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1")
    usual = Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")

    def contexts(position: Position, move: str) -> list[int]:
        return list(position.line.move_contexts()[position.legal_moves().index(move)])

    room = 6  # the rook of b1 stands beside the king on c1
    pairs = zip(contexts(unusual, "e1b1"), contexts(usual, "e1c1"), strict=True)
    assert [index for index, (one, other) in enumerate(pairs) if one != other] == [room]
    rows = [
        position.line.policy_rows()[position.legal_moves().index(move)]
        for position, move in ((unusual, "e1b1"), (usual, "e1c1"))
    ]
    assert rows[0] == rows[1]


def test_a_position_whose_rights_are_gone_is_one_of_standard_chess():
    before = Position.from_fen("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1")
    after = before.play("e1g1").play("e8b8")
    standard = Position.from_fen("2kr2r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2")
    assert after == standard
    assert after.pack() == standard.pack()
    assert after.line.hash == standard.line.hash


def test_the_text_of_an_unusual_position_is_shredder_fen():
    fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"
    assert Position.from_chess960_fen(fen.replace("GBgb", "KQkq")).fen == fen


@pytest.mark.parametrize("castling", ["GG", "K", "H", "GBgbb", "Gx", "a"])
def test_rights_without_a_rook_are_refused(castling):
    fen = f"1r2k1r1/8/8/8/8/8/8/RK6 w {castling} - 0 1"
    with pytest.raises(NotationError, match="castling"):
        Position.from_chess960_fen(fen)


def test_standard_fens_are_as_strict_as_ever():
    with pytest.raises(NotationError, match="first squares"):
        Position.from_fen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1")
    with pytest.raises(NotationError, match="in this order"):
        Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1")


def test_the_kings_own_step_is_no_castling_where_it_is_unusual():
    position = Position.from_fen("k7/8/8/8/8/8/8/5K1R w H - 0 1")
    assert position.san("f1g1") == "Kg1"
    assert position.san("f1h1") == "O-O"
    with pytest.raises(IllegalMoveError):
        position.parse("f1f2f3")


def test_packed_bytes_that_pack_never_writes_are_refused():
    packed = bytearray(Position.start("chess").pack())
    packed[24] |= 0x80
    with pytest.raises(NotationError, match="castling rights"):
        Position.unpack("chess", bytes(packed))
    packed = bytearray(Position.from_fen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1").pack())
    packed[24] &= 0x7F
    with pytest.raises(NotationError, match="piece"):
        Position.unpack("chess", bytes(packed))


@pytest.mark.slow
def test_a_deeper_count():
    for fen in TRICKY[:4]:
        board = chess.Board(fen, chess960=True)
        assert perft(Position.from_chess960_fen(fen), 4) == sum(oracle_divide(board, 4).values())
