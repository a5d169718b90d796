"""What `milton coach` tells a person: what was found, or that nothing was; figures on request."""

import pytest

from milton.cli.coach import NOTHING_FOUND, _print
from milton.coach import WeaknessReport


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


def test_nothing_found_is_said_in_words(nothing, capsys):
    _print(nothing, as_json=False, details=False)
    shown = capsys.readouterr().out
    assert NOTHING_FOUND in " ".join(shown.split())
    assert "17 tested" not in shown
    assert "0.0123" not in shown


def test_statistics_stand_behind_details(nothing, capsys):
    _print(nothing, as_json=False, details=True)
    shown = capsys.readouterr().out
    assert "17 tested: a test" in shown
    assert "mean loss 0.0123" in shown
