"""Games leave a shard in forms that other tools read."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest
from game_blocks import played_block

from milton.errors import ShardError
from milton.games import GAME_NAMES, Position
from milton.replay import json_line, pgn_text, read_json_lines, recorded_games, write_games


@pytest.mark.parametrize("game", GAME_NAMES)
def test_moves_lead_from_start_to_the_recorded_end(game: str) -> None:
    for record in recorded_games(played_block(game, 4)):
        end = Position.from_text(game, record.start).play_all(record.moves).outcome(claim_draws=True)
        if record.end_reason != "adjudicated" and end is not None:
            assert end.winner == {0: "first", 1: "second", -1: None}[record.winner]
        assert len(record.moves) == len(record.values_stm)


def test_python_chess_reads_our_pgn() -> None:
    for record in recorded_games(played_block("chess", 3)):
        parsed = chess.pgn.read_game(io.StringIO(pgn_text(record)))
        assert parsed is not None
        assert not parsed.errors
        assert tuple(move.uci() for move in parsed.mainline_moves()) == record.moves
        assert parsed.headers["Result"] == record.result
        first = parsed.next()
        assert first is not None
        assert record.values_stm[0] is not None
        assert float(first.comment) == pytest.approx(record.values_stm[0], abs=0.006)


def test_json_lines_read_back_equal(tmp_path: Path) -> None:
    games = list(recorded_games(played_block("santorini", 3)))
    path = tmp_path / "games.jsonl"
    assert write_games(path, games) == 3
    for found, expected in zip(read_json_lines(path), games, strict=True):
        assert json.loads(json_line(found)) == json.loads(json_line(expected))
        assert found.moves == expected.moves


def test_what_cannot_be_written_or_read_is_named(tmp_path: Path) -> None:
    (record, *_) = recorded_games(played_block("connect_four", 1))
    with pytest.raises(ShardError, match="PGN is for chess"):
        write_games(tmp_path / "games.pgn", [record])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ShardError, match=r"\.txt"):
        write_games(tmp_path / "games.txt", [record])
    (tmp_path / "bad.jsonl").write_text('{"game": 1}\n')
    with pytest.raises(ShardError, match="line 1"):
        list(read_json_lines(tmp_path / "bad.jsonl"))
