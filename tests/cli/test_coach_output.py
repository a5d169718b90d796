"""What `milton coach` tells a person: what was found, or that nothing was; figures on request."""

import pytest

from milton.cli.coach import NOTHING_FOUND, _print
from milton.coach import Condition, Fingerprint, Weakness, WeaknessReport


@pytest.fixture
def nothing() -> WeaknessReport:
    return WeaknessReport(
        game="chess",
        provider="offline",
        num_games=40,
        num_positions=2000,
        mean_loss=0.0123,
        num_tested=17,
        statistic="a test",
    )


@pytest.fixture
def weakness() -> Weakness:
    return Weakness(
        category="tactical awareness",
        description="loses 0.3 a move where 0.1 is usual",
        fingerprint=Fingerprint(
            game="chess", conditions=(Condition(trait="own_hanging", at_least=1, at_most=15),)
        ),
        severity=0.5,
        share=0.1,
    )


def test_nothing_found_is_said_in_words(nothing, capsys):
    _print(nothing, as_json=False, details=False)
    shown = capsys.readouterr().out
    assert NOTHING_FOUND in " ".join(shown.split())
    assert "17 tested" not in shown
    assert "0.0123" not in shown


def test_a_weakness_says_in_which_positions(nothing, weakness, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    _print(nothing.model_copy(update={"weaknesses": (weakness,)}), as_json=False, details=False)
    shown = capsys.readouterr().out
    assert str(weakness.fingerprint) in shown
    assert "tactical awareness" in shown


@pytest.mark.parametrize(
    ("judged", "says"),
    [
        ({"share": 0.1}, "gives these positions more weight"),
        ({"share": 0.1, "ignored": "only reported: coach.max_weight is 1"}, "no extra weight"),  # chess
        ({"share": None}, "Nothing was written"),  # --dry-run
    ],
)
def test_a_report_says_what_training_makes_of_it(nothing, weakness, capsys, judged, says):
    found = (weakness.model_copy(update=judged),)
    _print(nothing.model_copy(update={"iteration": 5, "weaknesses": found}), as_json=False, details=False)
    assert says in " ".join(capsys.readouterr().out.split())


def test_statistics_stand_behind_details(nothing, capsys):
    _print(nothing, as_json=False, details=True)
    shown = capsys.readouterr().out
    assert "17 tested: a test" in shown
    assert "mean loss 0.0123" in shown
