"""Screens UCI options by games: which of many numbers matter, all estimated from every pair. Prints nothing.

In each pair every factor is high for one side and low for the other, decided by a coin of its own. Summed
over pairs with the sign of its coin, the results estimate the effect of a factor as exactly as a match about
it alone would, because the others cancel on average. What is chosen from the estimates still needs a match of
its own.
"""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .option_study import Number, OptionStudy, StudyProgress, VariedOption, check_names
from .setting_pairs import BAD_FIGURES, PairResult, SettingPair, StateFile

# Elo for a whole point a game, near an even score.
_ELO_PER_SCORE = 1600.0 / math.log(10.0)


class Factor(VariedOption):
    """One option and the two values to compare."""

    low: Number
    high: Number

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if not self.low < self.high:
            raise ValueError(f"low must be below high, got {self.low} and {self.high}")
        return self

    @property
    def first_value(self) -> Number:
        return self.low

    @property
    def ends(self) -> tuple[Number, Number]:
        return self.low, self.high


class ScreeningFile(BaseModel):
    """`[[factors]]` tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    factors: tuple[Factor, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        check_names("factors", self.factors)
        return self


@dataclass(frozen=True, slots=True)
class Effect:
    factor: Factor
    elo: float  # high minus low
    standard_error: float

    @property
    def sigmas(self) -> float:
        return self.elo / self.standard_error if self.standard_error else 0.0


@dataclass(frozen=True, slots=True)
class ScreeningProgress(StudyProgress):
    effects: tuple[Effect, ...]  # in the order of the file; broken pairs do not count


class Screening(OptionStudy[ScreeningProgress]):
    """Begins with nothing, or where the state file ends."""

    def __init__(
        self,
        factors: tuple[Factor, ...],
        num_pairs: int,
        *,
        seed: int,
        state: Path,
        match: Mapping[str, object],
    ) -> None:
        header = {"factors": [factor.model_dump() for factor in factors], "seed": seed, "match": match}
        super().__init__(num_pairs, StateFile(state, "screening", header))
        self._factors = factors
        self._seed = seed
        self._done: set[int] = set()
        self._num_counted = self._faults = 0
        self._sums = [0.0] * len(factors)
        self._squares = 0.0
        self._read()

    def coins(self, index: int) -> tuple[int, ...]:
        """For each factor: 1 if the first side of this pair has the high value, else -1."""
        generator = random.Random(f"screen {self._seed} {index}")
        return tuple(generator.choice((1, -1)) for _ in self._factors)

    def count(self, result: PairResult) -> None:
        """Adds a pair; its score minus an even one, seen by the side with the coins."""
        self._done.add(result.index)
        self._faults += result.num_faults
        if result.is_broken:
            return
        surplus = result.score.score - 0.5
        self._num_counted += 1
        self._squares += surplus * surplus
        for place, coin in enumerate(self.coins(result.index)):
            self._sums[place] += coin * surplus

    @property
    def progress(self) -> ScreeningProgress:
        count = max(1, self._num_counted)
        error = _ELO_PER_SCORE * math.sqrt(self._squares) / count
        effects = tuple(
            Effect(factor, _ELO_PER_SCORE * total / count, error)
            for factor, total in zip(self._factors, self._sums, strict=True)
        )
        return ScreeningProgress(len(self._done), self._faults, effects)

    def _settings(self) -> Iterator[SettingPair]:
        for index in range(1, self.num_pairs + 1):
            if index in self._done:
                continue
            coins = self.coins(index)
            values = [
                {
                    factor.name: factor.high if coin == side else factor.low
                    for factor, coin in zip(self._factors, coins, strict=True)
                }
                for side in (1, -1)
            ]
            yield SettingPair(index, *values)

    def _write(self) -> None:
        self._state.write(
            {
                "done": sorted(self._done),
                "counted": self._num_counted,
                "sums": self._sums,
                "squares": self._squares,
                "faults": self._faults,
            }
        )

    def _read(self) -> None:
        stored = self._state.read()
        if stored is None:
            return
        try:
            sums = [float(value) for value in stored["sums"]]
            if len(sums) != len(self._factors):
                raise ValueError(f"{len(sums)} sums for {len(self._factors)} factors")
            self._done = {int(index) for index in stored["done"]}
            self._num_counted, self._faults = int(stored["counted"]), int(stored["faults"])
            self._sums, self._squares = sums, float(stored["squares"])
        except BAD_FIGURES as error:
            raise self._state.damage(error) from error
