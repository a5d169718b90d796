"""What a month may cost, counted in a file of the user."""

import time
from pathlib import Path

import pytest

from milton.coach.budget import MonthlyBudget
from milton.errors import CoachError

YEAR_S = 366 * 86_400.0


@pytest.mark.parametrize("jump_s", [-YEAR_S, YEAR_S])
def test_a_clock_that_jumps_and_comes_back_spends_no_month_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    budget = MonthlyBudget(100, tmp_path / "usage.json")
    real = time.gmtime(time.time())
    budget.reserve(90)
    with monkeypatch.context() as jumped:
        elsewhen = time.gmtime(time.time() + jump_s)
        jumped.setattr(time, "gmtime", lambda: elsewhen)
        assert budget.used() == 0
        budget.reserve(70)
    with monkeypatch.context() as returned:
        returned.setattr(time, "gmtime", lambda: real)
        assert budget.used() == 90
        with pytest.raises(CoachError, match="budget is used up"):
            budget.reserve(20)


def test_months_long_gone_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = MonthlyBudget(100, tmp_path / "usage.json")
    moments = [time.gmtime(month * 31 * 86_400.0) for month in range(100)]
    for then in moments:
        monkeypatch.setattr(time, "gmtime", lambda then=then: then)
        budget.reserve(1)
    assert (tmp_path / "usage.json").stat().st_size < 1000
