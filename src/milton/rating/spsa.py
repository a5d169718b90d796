"""Simultaneous perturbation stochastic approximation (Spall 1992) with Fishtest's conventions. Plays nothing.

At iteration k every parameter moves by ±c_k at once; a pair of games between the two settings says which side
is better, and all parameters follow it by a step of R_k c_k times the points won. A tuning file names the
last values: c_end, the perturbation, and r_end, the step R, at the end of the run.

    c_k = c / k^γ                    c = c_end N^γ                       γ = 0.101
    a_k = a / (A + k)^α              a = r_end c_end² (A + N)^α          α = 0.602, A = N / 10
    R_k = a_k / c_k²
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .option_study import Number, VariedOption, check_names

_ALPHA = 0.602
_GAMMA = 0.101
_STABILITY = 0.1  # A as a share of all iterations
_DEFAULT_PERTURBATION = 0.05  # of the range, where c_end is not given


class Parameter(VariedOption):
    """One option to tune. Whole numbers for start, min and max make it an integer."""

    start: Number
    min: Number
    max: Number
    c_end: float | None = Field(None, gt=0.0, allow_inf_nan=False)  # default: a twentieth of the range
    r_end: float = Field(0.002, gt=0.0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if not self.min < self.max:
            raise ValueError(f"min must be below max, got {self.min} and {self.max}")
        if not self.min <= self.start <= self.max:
            raise ValueError(f"start must lie between {self.min} and {self.max}, got {self.start}")
        return self

    @property
    def first_value(self) -> Number:
        return self.start

    @property
    def ends(self) -> tuple[Number, Number]:
        return self.min, self.max

    @property
    def is_integer(self) -> bool:
        return all(isinstance(value, int) for value in (self.start, self.min, self.max))

    @property
    def last_perturbation(self) -> float:
        return self.c_end if self.c_end is not None else _DEFAULT_PERTURBATION * (self.max - self.min)

    def clip(self, value: float) -> float:
        return min(max(value, float(self.min)), float(self.max))


class TuningFile(BaseModel):
    """`[[parameters]]` tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    parameters: tuple[Parameter, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        check_names("parameters", self.parameters)
        return self


Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """The two settings of one iteration, and what a point won by the first one is worth to each value."""

    iteration: int
    plus: dict[str, Number]
    minus: dict[str, Number]
    steps: Values


class Spsa:
    """The values of a tuning, and how they move. Iterations count from 1 and may end in any order."""

    def __init__(
        self, parameters: tuple[Parameter, ...], num_iterations: int, seed: int, values: Mapping[str, float]
    ) -> None:
        self._parameters = parameters
        self._num_iterations = num_iterations
        self._seed = seed
        self.values: Values = {parameter.name: float(values[parameter.name]) for parameter in parameters}

    def perturb(self, iteration: int) -> Perturbation:
        generator = random.Random(f"spsa {self._seed} {iteration}")
        plus: dict[str, Number] = {}
        minus: dict[str, Number] = {}
        steps: Values = {}
        for parameter in self._parameters:
            perturbation, step = self._schedule(parameter, iteration)
            flip = generator.choice((1, -1))
            value = self.values[parameter.name]
            dither = generator.random()
            plus[parameter.name] = _rounded(parameter, value + flip * perturbation, dither)
            minus[parameter.name] = _rounded(parameter, value - flip * perturbation, dither)
            steps[parameter.name] = step * perturbation * flip
        return Perturbation(iteration, plus, minus, steps)

    def learn(self, perturbation: Perturbation, points: float) -> None:
        """`points`: games that `plus` won minus games that it lost."""
        for parameter in self._parameters:
            moved = self.values[parameter.name] + perturbation.steps[parameter.name] * points
            self.values[parameter.name] = parameter.clip(moved)

    def rounded(self) -> dict[str, Number]:
        """The values as they would be used."""
        return {p.name: _rounded(p, self.values[p.name], 0.5) for p in self._parameters}

    def _schedule(self, parameter: Parameter, iteration: int) -> tuple[float, float]:
        """c_k and R_k."""
        count, stability = self._num_iterations, _STABILITY * self._num_iterations
        last = parameter.last_perturbation
        perturbation = last * (count / iteration) ** _GAMMA
        gain = parameter.r_end * last**2 * ((stability + count) / (stability + iteration)) ** _ALPHA
        return perturbation, gain / perturbation**2


def _rounded(parameter: Parameter, value: float, dither: float) -> Number:
    """Integers are rounded at random, so that perturbations below one half still act on average."""
    clipped = parameter.clip(value)
    return int(parameter.clip(math.floor(clipped + dither))) if parameter.is_integer else clipped
