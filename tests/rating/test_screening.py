import json
import random
from pathlib import Path

import pytest
from pydantic import ValidationError

from milton.arena import Score
from milton.errors import ArgumentError, RunError
from milton.rating import Factor, Screening, ScreeningFile
from milton.rating.setting_pairs import PairResult

FACTORS = (
    Factor(name="good", low=0, high=1),
    Factor(name="bad", low=0.5, high=2.5),
    *(Factor(name=f"idle {number}", low=0, high=1) for number in range(10)),
)


def screening(path: Path, *, factors: tuple[Factor, ...] = FACTORS, seed: int = 1) -> Screening:
    return Screening(factors, 4000, seed=seed, state=path / "state.json", match={"engine": "e"})


def played(screen: Screening, index: int, dice: random.Random) -> PairResult:
    """Two games in which the first factor helps by 10 % of the points and the second harms by 5 %."""
    good, bad, *_ = screen.coins(index)
    share = 0.5 + 0.1 * good - 0.05 * bad
    wins = sum(dice.random() < share for _ in range(2))
    return PairResult(index, Score(wins, 0, 2 - wins), 0, False)


def test_effects_are_found_and_idle_factors_stay_within_their_error(tmp_path: Path) -> None:
    screen, dice = screening(tmp_path), random.Random(5)
    for index in range(1, 4001):
        screen.count(played(screen, index, dice))
    good, bad, *idle = screen.progress.effects
    assert screen.progress.num_pairs == 4000
    # High scores 60 % and 45 % against low; a point is worth 695 Elo near 50 %.
    assert good.elo == pytest.approx(69.5, abs=3 * good.standard_error)
    assert bad.elo == pytest.approx(-34.7, abs=3 * bad.standard_error)
    assert good.standard_error == pytest.approx(695 * 0.5 / (2 * 4000) ** 0.5, rel=0.05)
    assert sum(abs(effect.sigmas) > 2 for effect in idle) <= 2
    assert good.sigmas > 10


def test_the_sides_have_opposite_values_by_the_coins(tmp_path: Path) -> None:
    screen = screening(tmp_path)
    pairs = list(screen._settings())
    assert len(pairs) == 4000
    for pair in pairs[:50]:
        assert {pair.plus["bad"], pair.minus["bad"]} == {0.5, 2.5}
        assert (pair.plus["bad"] == 2.5) == (screen.coins(pair.index)[1] == 1)
    assert {screen.coins(index)[0] for index in range(1, 20)} == {1, -1}


def test_a_broken_pair_counts_as_played_and_says_nothing(tmp_path: Path) -> None:
    screen = screening(tmp_path)
    screen.count(PairResult(1, Score(2, 0, 0), 1, True))
    progress = screen.progress
    assert (progress.num_pairs, progress.num_faults) == (1, 1)
    assert all(effect.elo == 0.0 for effect in progress.effects)


def test_a_resumed_screening_has_the_same_figures_and_plays_only_what_is_left(tmp_path: Path) -> None:
    first, dice = screening(tmp_path), random.Random(7)
    for index in (1, 2, 5):
        first.count(played(first, index, dice))
    first._write()
    again = screening(tmp_path)
    assert again.progress == first.progress
    assert [pair.index for pair in again._settings()][:3] == [3, 4, 6]


@pytest.mark.parametrize(
    ("change", "kind", "problem"),
    [
        ({"sums": [0.0]}, RunError, "1 sums for 12 factors"),
        ({"done": None}, RunError, "not the state of a screening"),
        ({"screening": {}}, ArgumentError, "another screening"),
        ({"version": 9}, ArgumentError, "other version"),
    ],
)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, change: dict[str, object], kind: type[Exception], problem: str
) -> None:
    screening(tmp_path)._write()
    path = tmp_path / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(kind, match=problem):
        screening(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        '{"version": 1, "squares": Infinity}',
        '{"version": NaN}',
        '{"version": 1e999}',
        "[" * 100_000,
        '"text"',
    ],
    ids=lambda text: text[:30],
)
def test_a_state_that_no_program_writes_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    (tmp_path / "state.json").write_text(damage)
    with pytest.raises(RunError, match="not the state of a screening"):
        screening(tmp_path)


def test_a_figure_beyond_every_float_is_refused(tmp_path: Path) -> None:
    screening(tmp_path)._write()
    path = tmp_path / "state.json"
    stored = json.loads(path.read_text())
    path.write_text(json.dumps(stored | {"sums": [10**400] * len(stored["sums"])}))
    with pytest.raises(RunError, match="not the state of a screening"):
        screening(tmp_path)


def test_factors_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValidationError, match="low must be below high"):
        Factor(name="a", low=2, high=2)
    one = {"name": "A", "low": 0, "high": 1}
    with pytest.raises(ValidationError, match="factors named twice: a"):
        ScreeningFile.model_validate({"factors": [one, one | {"name": "a"}]})
