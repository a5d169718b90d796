"""Games leave a shard as records that other tools can read."""

import io

import chess.pgn
import pytest
from game_blocks import played_block

from milton.games import GAME_NAMES, Position
from milton.records import pgn_text, read_pgn
from milton.replay import VALUE_SCALE, recorded_games


@pytest.mark.parametrize("game", GAME_NAMES)
def test_moves_lead_from_start_to_the_recorded_end(game: str) -> None:
    for record in recorded_games(played_block(game, 4)):
        end = Position.from_text(game, record.start).play_all(record.moves).outcome(claim_draws=True)
        if record.end_reason != "adjudicated" and end is not None:
            assert end.winner == {0: "first", 1: "second", -1: None}[record.winner]
        assert len(record.moves) == len(record.values_stm)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_values_are_those_of_the_shard(game: str) -> None:
    block = played_block(game, 2)
    values = [value for record in recorded_games(block) for value in record.values_stm]
    assert values == pytest.approx(list(block.root_values_stm / VALUE_SCALE), abs=1e-9)


def test_python_chess_reads_our_pgn() -> None:
    for record in recorded_games(played_block("chess", 3)):
        parsed = chess.pgn.read_game(io.StringIO(pgn_text(record)))
        assert parsed is not None
        assert not parsed.errors
        assert tuple(move.uci() for move in parsed.mainline_moves()) == record.moves
        assert parsed.headers["Result"] == record.result
        assert parsed.headers["GameId"] == record.tags["GameId"]
        (again,) = read_pgn(io.StringIO(pgn_text(record)))
        assert again.values_stm == pytest.approx(record.values_stm, abs=0.002)
