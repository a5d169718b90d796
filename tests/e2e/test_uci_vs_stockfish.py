"""Whole games against Stockfish at 1+0.01, with python-chess as referee.

The clocks count processor time: it is what an engine decides about, and a busy machine cannot make it lose.
tests/uci/test_strict_clock.py plays by the clock on the wall.
"""

import os
import shutil
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
from chess.engine import SimpleEngine
from patience import PATIENCE_S
from playing import write_playable

STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
INITIAL_S, INCREMENT_S = 1.0, 0.01

pytestmark = pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")


@pytest.fixture(scope="module")
def milton_command(tmp_path_factory) -> list[str]:
    checkpoint = write_playable(tmp_path_factory.mktemp("e2e") / "net.safetensors", "sparse-chess")
    return [sys.executable, "-m", "milton.cli", "uci", "--checkpoint", str(checkpoint)]


def processor_time_s(engine: SimpleEngine) -> float:
    """What the engine's process, all threads together, has used so far."""
    stat = Path(f"/proc/{engine.transport.get_pid()}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def play_game(players: tuple[SimpleEngine, SimpleEngine], milton: SimpleEngine, game: object) -> chess.Board:
    """A game to its end, White first; an illegal move raises in python-chess, an empty clock of ours here."""
    board = chess.Board()
    clocks = {chess.WHITE: INITIAL_S, chess.BLACK: INITIAL_S}
    while not board.is_game_over(claim_draw=True):
        side = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=INCREMENT_S,
            black_inc=INCREMENT_S,
        )
        player = players[0] if side == chess.WHITE else players[1]
        started_s = processor_time_s(player)
        result = player.play(board, limit, game=game)
        clocks[side] -= processor_time_s(player) - started_s
        assert clocks[side] > 0 or player is not milton, f"lost on time after {board.ply()} plies"
        clocks[side] += INCREMENT_S
        assert result.move is not None
        board.push(result.move)
    return board


def play_match(milton_command: list[str], num_games: int) -> None:
    with SimpleEngine.popen_uci(milton_command, timeout=PATIENCE_S) as milton:
        milton.configure({"Hash": 128})
        with SimpleEngine.popen_uci(STOCKFISH, timeout=PATIENCE_S) as stockfish:
            for game in range(num_games):
                pair = (milton, stockfish) if game % 2 == 0 else (stockfish, milton)
                board = play_game(pair, milton, game)
                assert board.outcome(claim_draw=True) is not None
        milton.quit()
        assert milton.protocol.returncode.result() == 0
    assert not Path(f"/proc/{milton.transport.get_pid()}").exists()


def test_two_games_are_played_properly(milton_command):
    play_match(milton_command, 2)


@pytest.mark.slow
def test_twenty_games_are_played_properly(milton_command):
    play_match(milton_command, 20)
