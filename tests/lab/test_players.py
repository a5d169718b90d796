"""Methods are players like any other, by their names and in other processes."""

from pathlib import Path

import pytest
from rating_players import player
from small_methods import trained

from milton.arena import random_openings
from milton.errors import ArgumentError, CheckpointError
from milton.lab import players
from milton.lab.compare import ANCHOR, Comparison, rate_all
from milton.lab.report import learning_curve, learning_curve_svg, markdown, ranking_svg
from milton.lab.training import TrainTask, train_file
from milton.rating import MatchSetup, play_meetings, player_names


@pytest.fixture
def lab_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(players, "LAB_FOLDER", tmp_path)
    return tmp_path


def test_a_trained_method_can_be_chosen_by_its_name(lab_folder: Path) -> None:
    trained("evolution", lab_folder / "evolution.lab")
    trained("q-learning", lab_folder / "q-learning-connect_four.lab")
    assert "lab:evolution" in player_names("chess")
    assert "lab:q-learning" in player_names("connect_four")
    assert "lab:q-learning" not in player_names("chess")
    assert player("lab:evolution").checkpoint == lab_folder / "evolution.lab"
    assert player(str(lab_folder / "evolution.lab")).name == "evolution"


def test_names_without_a_file_say_how_to_make_one(lab_folder: Path) -> None:
    with pytest.raises(ArgumentError, match="milton lab train evolution"):
        player("lab:evolution")
    with pytest.raises(ArgumentError, match="no method 'lab:alchemy'"):
        player("lab:alchemy")
    (lab_folder / "junk.lab").write_bytes(b"junk")
    with pytest.raises(CheckpointError, match="junk"):
        player(str(lab_folder / "junk.lab"))
    trained("q-learning", lab_folder / "c4.lab")
    with pytest.raises(ArgumentError, match="plays connect_four, expected chess"):
        player(str(lab_folder / "c4.lab"))


def test_methods_play_rated_games_in_other_processes_and_are_reported(lab_folder: Path) -> None:
    reports = []
    for name, settings in (("q-learning", (("games", 100),)), ("mcts", (("simulations", 20),))):
        task = TrainTask(name, lab_folder / f"{name}.lab", "connect_four", settings=settings)
        reports.append(train_file(task))
    specs = [player(str(report.file), "connect_four") for report in reports]
    specs.append(player(ANCHOR, "connect_four"))
    records = play_meetings(
        [(specs[0], specs[1]), (specs[0], specs[2]), (specs[1], specs[2])],
        MatchSetup(random_openings("connect_four", 2, plies=2), workers=1),
    )
    assert all(not record.faults and record.counts.num_games == 4 for record in records)
    comparison = Comparison(tuple(reports), tuple(records), rate_all(records), 1.0)
    report = markdown(comparison, "milton lab compare", {"cpu": "one"})
    for text in ("| mcts |", "| q-learning |", "| random |", "anchor", "GPU", "the random player"):
        assert text in report
    assert ranking_svg(comparison).startswith("<svg")


def test_the_learning_curve_of_a_policy_can_be_drawn(tmp_path: Path) -> None:
    trained("reinforce", tmp_path / "r.lab")
    assert learning_curve_svg(tmp_path / "r.lab").startswith("<svg")
    trained("mcts", tmp_path / "m.lab")
    with pytest.raises(ArgumentError, match="mcts records no learning curve"):
        learning_curve(tmp_path / "m.lab")


def test_a_file_goes_on_only_with_its_own_method_and_settings(tmp_path: Path) -> None:
    out = tmp_path / "m.lab"
    trained("q-learning", out)
    with pytest.raises(
        ArgumentError, match="holds q-learning for connect_four, expected evolution for chess"
    ):
        train_file(TrainTask("evolution", out))
    with pytest.raises(ArgumentError, match="its own settings"):
        train_file(TrainTask("q-learning", out, "connect_four", settings=(("alpha", 0.5),)))
