from dataclasses import replace
from pathlib import Path

from rating_players import rogue

from milton.arena import Sprt, random_openings
from milton.rating import MatchJournal, MatchSetup, MoveLimit, SprtReport, play_sprt, uci_spec

OPENINGS = random_openings("chess", 4)


def test_an_engine_that_dies_is_restarted_and_its_losses_are_counted(tmp_path: Path) -> None:
    a, b = rogue(tmp_path, "dies"), rogue(tmp_path, "illegal")
    report = play_sprt(Sprt(0, 10), a, b, MatchSetup(OPENINGS[:2], workers=1))
    # Whoever moves first fails first: each side loses one game of a pair.
    assert report.counts.pentanomial == (0, 0, 2, 0, 0)
    assert report.faults[0]["crash"] == 2
    assert report.faults[1]["illegal_move"] == 2


def test_a_resumed_match_plays_only_what_is_missing(tmp_path: Path) -> None:
    a, b = rogue(tmp_path, "dies"), rogue(tmp_path, "illegal")
    path, games = tmp_path / "match.jsonl", tmp_path / "games.pgn"
    with MatchJournal(path, {}) as journal:
        play_sprt(Sprt(0, 10), a, b, MatchSetup(OPENINGS[:3], workers=1, journal=journal))
    first = path.read_bytes()
    reports: list[SprtReport] = []
    with MatchJournal(path, {}) as journal:
        setup = MatchSetup(OPENINGS, workers=1, journal=journal, games_file=games)
        report = play_sprt(Sprt(0, 10), a, b, setup, on_report=reports.append)
    assert path.read_bytes().startswith(first)
    assert [seen.counts.num_pairs for seen in reports] == [1, 2, 3, 4]
    assert report.counts.num_pairs == 4
    assert games.read_text().count("[Result ") == 8


def test_the_match_ends_when_the_test_has_decided(tmp_path: Path) -> None:
    strong = uci_spec("champion", MoveLimit("nodes", 1))
    weak = replace(rogue(tmp_path, "dies"), limit=MoveLimit("nodes", 1))
    # Far apart hypotheses: one lost pair decides.
    report = play_sprt(Sprt(0, 3000), weak, strong, MatchSetup(OPENINGS, workers=1))
    assert report.state.decision == "reject"
    assert report.counts.num_pairs < 4
