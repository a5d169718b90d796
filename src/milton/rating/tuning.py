"""Tunes UCI options by games: pairs between two perturbed settings of one engine. Prints nothing.

State and values are replaced as whole files after each pair: a killed tuning loses only pairs under way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from milton.arena import Score
from milton.config.toml_text import toml_value
from milton.rundir import write_text

from .option_study import OptionStudy, StudyProgress
from .setting_pairs import BAD_FIGURES, PairResult, SettingPair, StateFile
from .spsa import Parameter, Perturbation, Spsa


@dataclass(frozen=True, slots=True)
class TuneProgress(StudyProgress):
    values: dict[str, float]
    score: Score  # of plus: far from even means that the options matter


class Tuning(OptionStudy[TuneProgress]):
    """Begins with the parameters' start values, or where the state file ends."""

    unit = "iterations"

    def __init__(
        self,
        parameters: tuple[Parameter, ...],
        num_iterations: int,
        *,
        seed: int,
        state: Path,
        values_file: Path,
        match: Mapping[str, object],
    ) -> None:
        header = {
            "parameters": [parameter.model_dump() for parameter in parameters],
            "iterations": num_iterations,
            "seed": seed,
            "match": match,
        }
        super().__init__(num_iterations, StateFile(state, "tuning", header))
        self._values_file = values_file
        progress = self._read() or TuneProgress(0, 0, {p.name: float(p.start) for p in parameters}, Score())
        self._iterations, self._score, self._faults = progress.num_pairs, progress.score, progress.num_faults
        self._under_way: dict[int, Perturbation] = {}
        self._spsa = Spsa(parameters, num_iterations, seed, progress.values)

    @property
    def progress(self) -> TuneProgress:
        return TuneProgress(self._iterations, self._faults, dict(self._spsa.values), self._score)

    def count(self, result: PairResult) -> None:
        perturbed = self._under_way.pop(result.index)
        if not result.is_broken:
            self._spsa.learn(perturbed, result.score.wins - result.score.losses)
        self._score += result.score
        self._faults += result.num_faults
        self._iterations += 1

    def write_values(self) -> None:
        """The values as a TOML table, exact ones in comments."""
        lines = [f"# after {self._iterations} of {self.num_pairs} iterations", "[options]"]
        for name, value in self._spsa.rounded().items():
            lines.append(f"{toml_value(name)} = {toml_value(value)}  # {self._spsa.values[name]:.4f}")
        write_text(self._values_file, "\n".join(lines) + "\n")

    def _settings(self) -> Iterator[SettingPair]:
        for iteration in range(self._iterations + 1, self.num_pairs + 1):
            perturbed = self._under_way[iteration] = self._spsa.perturb(iteration)
            yield SettingPair(iteration, perturbed.plus, perturbed.minus)

    def _write(self) -> None:
        score = self._score
        self._state.write(
            {
                "done": self._iterations,
                "values": self._spsa.values,
                "score": [score.wins, score.draws, score.losses],
                "faults": self._faults,
            }
        )
        self.write_values()

    def _read(self) -> TuneProgress | None:
        stored = self._state.read()
        if stored is None:
            return None
        try:
            values = {str(name): float(value) for name, value in stored["values"].items()}
            return TuneProgress(
                int(stored["done"]), int(stored["faults"]), values, Score(*map(int, stored["score"]))
            )
        except BAD_FIGURES as error:
            raise self._state.damage(error) from error
