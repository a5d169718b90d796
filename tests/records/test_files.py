"""Games in files: JSON lines of every game, PGN of chess, what earlier versions wrote, what is no game."""

import json
from pathlib import Path

import pytest

from milton.errors import RecordError, RunError
from milton.games import GAME_NAMES, Position
from milton.records import (
    GameFile,
    GameRecord,
    dated,
    from_fields,
    games_suffix,
    json_line,
    read_games,
    to_fields,
    write_games,
)


def short_game(game: str) -> GameRecord:
    position, moves = Position.start(game), []
    for _ in range(4):
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    values = (None, 0.25, -0.125, 1.0)
    return GameRecord.of_moves(game, None, moves, values_stm=values, winner=1, players=("a", "b"))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_file_of_each_game_reads_back_equal(game: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{games_suffix(game)}"
    assert write_games(path, [short_game(game)] * 2) == 2
    found = list(read_games(path))
    assert [record.moves for record in found] == [short_game(game).moves] * 2
    assert [(record.winner, record.players) for record in found] == [(1, ("a", "b"))] * 2
    for record in found:
        assert record.values_stm == (None, *(pytest.approx(v, abs=0.002) for v in (0.25, -0.125, 1.0)))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_values_belong_to_the_side_that_moved_also_where_it_moves_twice_in_a_row(game: str) -> None:
    position, moves, values = Position.start(game), [], []
    for _ in range(6):
        values.append(0.25 if position.side_to_move == "first" else -0.25)
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    record = GameRecord.of_moves(game, None, moves, values_stm=values)
    assert [found and found.value_first for found in record.evaluations] == [0.25] * 6
    assert record.values_stm == tuple(values)
    assert [value > 0 for value in values] == [side == 0 for side in record.sides_to_move]


def test_fields_read_back_equal() -> None:
    record = short_game("santorini").with_tags(Round="2.1")
    assert from_fields(json.loads(json_line(record))) == record


def test_lines_of_earlier_versions_are_read(tmp_path: Path) -> None:
    moves = list(short_game("connect_four").moves)
    old = {"game": "connect_four", "start": Position.start("connect_four").text, "moves": moves}
    selfplay = old | {"values_stm": [None, 0.5, -0.5, 0.1], "winner": -1, "end_reason": "board_full"}
    selfplay |= {"network": "iter_0001", "game_id": "00000000000000ff"}
    rated = old | {
        "players": ["x", "y"],
        "num_opening_plies": 2,
        "winner": 0,
        "end_reason": "crash",
        "fault": None,
    }
    exported = old | {"players": ["x", "y"], "result": "1/2-1/2"}
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (selfplay, rated, exported)))
    first, second, third = read_games(path)
    assert (first.players, first.tags["GameId"], first.winner) == (("iter_0001",) * 2, "00000000000000ff", -1)
    assert first.values_stm == (None, pytest.approx(0.5), pytest.approx(-0.5), pytest.approx(0.1))
    assert (second.players, second.result, second.values_stm) == (("x", "y"), "1-0", (None,) * 4)
    assert third.result == "1/2-1/2"


@pytest.mark.parametrize(
    "line",
    [
        *("nonsense", "[]", "1", '{"game": 1}', '{"game": "chess", "moves": 5}'),
        '{"game": "go", "moves": []}',
        '{"game": "chess", "start": "x", "moves": []}',
        '{"game": "chess", "moves": [], "winner": 7}',
        '{"game": "chess", "moves": ["e2e4"], "winner": null, "values_stm": [1' + "0" * 400 + "]}",
        "[" * 10_000,
    ],
)
def test_a_line_that_is_no_game_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n" + line + "\n")
    with pytest.raises(RecordError, match=r"games\.jsonl, line 2"):
        list(read_games(path))


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    record = short_game("connect_four")
    with pytest.raises(RecordError, match="PGN is for chess"):
        write_games(tmp_path / "games.pgn", [record])
    with pytest.raises(RecordError, match=r"\.txt"):
        write_games(tmp_path / "games.txt", [record])
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RecordError, match="cannot read"):
        list(read_games(tmp_path / "missing.pgn"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_a_full_disk_under_a_growing_file_is_named() -> None:
    with pytest.raises(RunError, match="the disk is full"), GameFile(Path("/dev/full")) as file:
        file.add(short_game("chess"))


def test_names_in_latin_1_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_bytes('[White "Müller"]\n\n1. e4 *\n'.encode("latin-1"))
    (record,) = read_games(path)
    assert record.players[0] == "Müller"


def test_a_growing_file_holds_what_was_played(tmp_path: Path) -> None:
    with GameFile(tmp_path / "games.jsonl") as file:
        file.add(short_game("santorini"))
        assert len(list(read_games(tmp_path / "games.jsonl"))) == 1


def test_games_of_today_are_dated_and_numbered_unless_they_are_already() -> None:
    first, second = dated([short_game("chess"), short_game("chess").with_tags(Round="7", Date="1990.01.01")])
    assert (first.tags["Round"], len(first.tags["Date"])) == ("1", len("2026.11.17"))
    assert (second.tags["Round"], second.tags["Date"]) == ("7", "1990.01.01")


def test_fields_hold_no_objects_of_ours() -> None:
    assert json.loads(json.dumps(to_fields(short_game("chess")))) == to_fields(short_game("chess"))


@pytest.mark.parametrize(
    ("game", "moves", "winner", "reason"),
    [
        ("chess", ["f2f3", "e7e5", "g2g4", "d8h4"], 0, "checkmate"),
        ("chess", ["f2f3", "e7e5", "g2g4", "d8h4"], -1, "checkmate"),
        ("connect_four", ["a", "b", "a", "b", "a", "b", "a"], 1, "four"),
    ],
)
def test_a_result_that_the_board_contradicts_is_refused(game, moves, winner, reason):
    fields = {"game": game, "moves": moves, "winner": winner}
    with pytest.raises(
        RecordError, match=f"the winner is given as {winner}, but the last move is .*{reason}"
    ):
        from_fields(fields)
    assert from_fields(fields | {"winner": None}).winner is None
    assert from_fields(fields | {"winner": 1 - winner if winner >= 0 else 1}).winner is not None
