"""python-chess drives the engine as many tools do."""

import sys

import chess
import chess.engine
import pytest
from patience import PATIENCE_S
from playing import MATES_IN_2


@pytest.fixture
def engine(checkpoint):
    command = [sys.executable, "-m", "milton.cli", "uci", "--checkpoint", str(checkpoint)]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE_S) as engine:
        engine.configure({"Hash": 64})
        yield engine


def test_a_game_is_played(engine):
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        board.push(engine.play(board, chess.engine.Limit(nodes=50)).move)
    assert board.ply() >= 8  # the least that a repetition takes


def test_a_clock_and_pondering_work(engine):
    board = chess.Board()
    for _ in range(6):
        limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        board.push(engine.play(board, limit, ponder=True).move)


def test_an_analysis_gives_scores_and_lines(engine):
    infos = engine.analyse(chess.Board(), chess.engine.Limit(nodes=2000), multipv=3)
    assert len(infos) == 3
    assert all(info["pv"] and info["score"] for info in infos)


def test_a_mate_is_announced(engine):
    fen = next(reversed(MATES_IN_2))
    info = engine.analyse(chess.Board(fen), chess.engine.Limit(mate=2))
    assert info["score"].relative.is_mate()
    assert info["score"].relative.mate() > 0
