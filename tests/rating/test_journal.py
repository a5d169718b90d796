from pathlib import Path

import pytest

from milton.errors import ArgumentError, RunError
from milton.rating import Fault, MatchJournal, PlayedGame
from milton.records import GameRecord


def record(white: str, black: str, *moves: str, winner: int, end_reason: str) -> GameRecord:
    return GameRecord.of_moves(
        "chess", None, moves, winner=winner, end_reason=end_reason, players=(white, black)
    )


FAULT = Fault(1, "time_loss", "e7e5 came 0.100 s late")
GAMES = (
    PlayedGame(record("a", "b", "e2e4", winner=0, end_reason="time_loss"), 1, (0.0, 0.1), FAULT),
    PlayedGame(record("b", "a", "e2e4", "e7e5", winner=-1, end_reason="adjudicated"), 1, (0.2, 0.1)),
)


def test_a_reopened_journal_has_every_pair(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with MatchJournal(path, {"limit": "1+0"}) as journal:
        journal.add(("a", "b", 0), GAMES)
    with MatchJournal(path, {"limit": "1+0"}) as journal:
        assert list(journal.pairs()) == [(("a", "b", 0), GAMES)]


def test_a_line_cut_off_by_a_kill_is_dropped_and_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with MatchJournal(path, {}) as journal:
        journal.add(("a", "b", 0), GAMES)
        journal.add(("a", "b", 1), GAMES)
    path.write_bytes(path.read_bytes()[:-40])
    with MatchJournal(path, {}) as journal:
        assert [key for key, _ in journal.pairs()] == [("a", "b", 0)]
        journal.add(("a", "b", 1), GAMES)
    with MatchJournal(path, {}) as journal:
        assert len(journal) == 2


def test_a_journal_of_another_match_is_refused_by_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    MatchJournal(path, {"limit": "1+0", "seed": 1}).close()
    with pytest.raises(ArgumentError, match=r"limit: '1\+0' then, '2\+0' now"):
        MatchJournal(path, {"limit": "2+0", "seed": 1})


def test_two_matches_do_not_share_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with MatchJournal(path, {}), pytest.raises(RunError, match="in use"):
        MatchJournal(path, {})


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("1. e4 e5\n")
    with pytest.raises(RunError, match="damaged"):
        MatchJournal(path, {})
    assert path.read_text() == "1. e4 e5\n"


def test_a_file_of_somebody_else_without_a_line_end_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("precious")
    with pytest.raises(RunError, match="damaged"):
        MatchJournal(path, {})
    assert path.read_text() == "precious"


def test_a_header_cut_off_by_a_kill_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    MatchJournal(path, {"limit": "1+0"}).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:15])
    MatchJournal(path, {"limit": "1+0"}).close()
    assert path.read_bytes() == whole
