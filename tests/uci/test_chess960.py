"""Chess960 by UCI: positions in, castling as king takes rook, games with python-chess as the referee."""

import random

import chess
import pytest

CASTLES = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"


@pytest.fixture
def talk960(talk):
    talk.send("setoption name UCI_Chess960 value true")
    yield talk
    talk.send("setoption name UCI_Chess960 value false")


def moves_told(lines: list[str]) -> list[list[str]]:
    return [line.split(" pv ")[1].split() for line in lines if " pv " in line]


@pytest.mark.parametrize("castling", ["KQkq", "GBgb", "KBkb"])
def test_both_ways_to_write_castling_rights_are_read(talk960, castling):
    fen = CASTLES.replace("GBgb", castling)
    talk960.send(f"position fen {fen}", "go perft 1")
    found = talk960.until("Nodes searched")
    assert any(line.startswith("e1g1:") for line in found)
    assert any(line.startswith("e1b1:") for line in found)


def test_castling_is_told_as_king_takes_rook_also_from_the_usual_start(talk960):
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    lines = talk960.ask(f"position fen {fen}", "go nodes 200 searchmoves e1h1")
    assert lines[-1].split()[1] == "e1h1"
    assert all(moves[0] == "e1h1" for moves in moves_told(lines))


def test_without_the_option_castling_is_told_as_the_kings_step(talk):
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    assert talk.ask(f"position fen {fen}", "go nodes 200 searchmoves e1h1")[-1].split()[1] == "e1g1"


@pytest.mark.parametrize("algorithm", ["mcts", "alphabeta"])
def test_games_of_chess960_are_legal_by_python_chess(talk960, algorithm):
    talk960.send(f"setoption name Algorithm value {algorithm}")
    choose = random.Random(5)
    for number in (0, 959, choose.randrange(960)):
        board = chess.Board.from_chess960_pos(number)
        fen = board.fen()
        while not board.is_game_over() and board.ply() < 30:
            played = " ".join(board.uci(move, chess960=True) for move in board.move_stack)
            lines = talk960.ask(f"position fen {fen} moves {played}", "go nodes 30")
            for moves in moves_told(lines):
                line = board.copy()
                for move in moves:
                    line.push(line.parse_uci(move))
            board.push(board.parse_uci(lines[-1].split()[1]))
            castling = [move for move in board.legal_moves if board.is_castling(move)]
            replies = castling or list(board.legal_moves)
            if replies:
                board.push(choose.choice(replies))


@pytest.mark.parametrize("number", [77, 612])
def test_the_engine_plays_itself_under_the_rules_of_python_chess(talk960, number):
    board = chess.Board.from_chess960_pos(number)
    fen = board.fen()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        played = " ".join(board.uci(move, chess960=True) for move in board.move_stack)
        lines = talk960.ask(f"position fen {fen} moves {played}", "go nodes 200")
        board.push(board.parse_uci(lines[-1].split()[1]))
    assert board.ply() >= 20
