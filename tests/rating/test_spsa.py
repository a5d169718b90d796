import random

import pytest
from pydantic import ValidationError

from milton.rating import Parameter, Spsa, TuningFile


def test_tuning_climbs_a_noisy_hill() -> None:
    parameters = (
        Parameter(name="a", start=20.0, min=0.0, max=100.0, c_end=5.0, r_end=0.02),
        Parameter(name="b", start=80, min=0, max=100, c_end=5, r_end=0.02),
    )
    spsa = Spsa(parameters, 4000, 1, {"a": 20.0, "b": 80.0})
    dice = random.Random(3)

    def strength(values: dict[str, int | float]) -> float:
        return -(((values["a"] - 60) / 20) ** 2) - ((values["b"] - 30) / 20) ** 2

    for iteration in range(1, 4001):
        tried = spsa.perturb(iteration)
        difference = strength(tried.plus) - strength(tried.minus)
        share = min(max(0.5 + 0.5 * difference, 0.0), 1.0)
        spsa.learn(tried, sum(1 if dice.random() < share else -1 for _ in range(2)))
    assert spsa.values["a"] == pytest.approx(60, abs=8)
    assert spsa.values["b"] == pytest.approx(30, abs=8)


def test_the_last_iteration_has_the_perturbation_and_the_step_of_the_file() -> None:
    parameter = Parameter(name="a", start=50.0, min=0.0, max=100.0, c_end=4.0, r_end=0.01)
    last = Spsa((parameter,), 100, 0, {"a": 50.0}).perturb(100)
    assert abs(last.plus["a"] - 50.0) == pytest.approx(4.0)
    assert last.plus["a"] - 50.0 == pytest.approx(50.0 - last.minus["a"])
    assert abs(last.steps["a"]) == pytest.approx(0.01 * 4.0)


def test_integers_stay_integers_within_their_range_and_dither() -> None:
    parameter = Parameter(name="a", start=1, min=0, max=2, c_end=0.3, r_end=0.01)
    spsa = Spsa((parameter,), 200, 0, {"a": 1.0})
    seen = {spsa.perturb(iteration).plus["a"] for iteration in range(1, 201)}
    assert seen == {0, 1, 2} or seen == {0, 1}
    assert all(isinstance(value, int) for value in seen)


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"start": 5, "min": 6, "max": 9}, "start must lie"),
        ({"start": 5, "min": 9, "max": 1}, "min must be below max"),
        ({"start": 5, "min": 1, "max": 9, "c_end": 0}, "greater than 0"),
        ({"start": 5, "min": 1, "max": 9, "step": 1}, "Extra inputs"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(entries: dict[str, int], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Parameter.model_validate({"name": "a"} | entries)


def test_a_parameter_named_twice_is_refused() -> None:
    one = {"name": "Margin", "start": 5, "min": 1, "max": 9}
    with pytest.raises(ValidationError, match="named twice: margin"):
        TuningFile.model_validate({"parameters": [one, one | {"name": "margin"}]})
