from pathlib import Path

import pytest
from rating_players import needs_stockfish, player, rogue

from milton.errors import ArgumentError, EngineError
from milton.games import Position
from milton.rating import Analyser, Analysis, EngineHungError, uci_process

START = Position.start("chess")


@needs_stockfish
def test_an_engine_analyses_positions() -> None:
    stockfish = Analyser(player("stockfish-nodes-2000"))
    try:
        found = stockfish.analyse(START)
        assert found.move in START.legal_moves()
        assert found.centipawns is not None
        assert abs(found.centipawns) < 200
        stockfish.begin_game()
        mate_in_one = START.play_all(["f2f3", "e7e5", "g2g4"])
        assert stockfish.analyse(mate_in_one) == Analysis("d8h4", None, 1)
    finally:
        stockfish.close()


@needs_stockfish
def test_the_side_to_move_sees_a_lost_queen_as_its_own_loss() -> None:
    stockfish = Analyser(player("stockfish-nodes-2000"))
    try:
        without_queen = Position.from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1")
        centipawns = stockfish.analyse(without_queen).centipawns
        assert centipawns is not None
        assert centipawns < -300
    finally:
        stockfish.close()


def test_an_analyser_that_dies_or_says_no_evaluation_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="dies"):
        _first_found(tmp_path, "dies")
    with pytest.raises(EngineError, match="no evaluation"):
        _first_found(tmp_path, "illegal")


def test_a_silent_analyser_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_process, "PATIENCE_S", 0.3)
    with pytest.raises(EngineHungError, match="silent"):
        _first_found(tmp_path, "silent")


def test_a_program_that_is_no_engine_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "no-engine"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    with pytest.raises(EngineError, match="no-engine"):
        Analyser(player(f"{program}@nodes:1"))


def test_an_analyser_needs_a_limit_for_each_position(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="limit for each move"):
        Analyser(rogue(tmp_path, "silent", "10+0.1"))


def _first_found(folder: Path, behaviour: str) -> Analysis:
    asked = Analyser(rogue(folder, behaviour))
    try:
        return asked.analyse(START)
    finally:
        asked.close()
