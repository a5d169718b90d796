"""Tunes UCI options by games: pairs between two perturbed settings of one engine. Prints nothing.

The state file is replaced as a whole after each pair, so that a killed tuning loses only pairs under way.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from milton.arena import Score
from milton.config.toml_text import toml_value

from .setting_pairs import PairResult, SettingGames, SettingPair, StateFile
from .spsa import Parameter, Perturbation, Spsa


@dataclass(frozen=True, slots=True)
class TuneProgress:
    iterations: int
    values: dict[str, float]
    score: Score  # of plus: far from even means that the options matter
    num_faults: int


class Tuning:
    """Begins with the parameters' start values, or where the state file ends."""

    def __init__(
        self,
        parameters: tuple[Parameter, ...],
        num_iterations: int,
        *,
        seed: int,
        state: Path,
        match: Mapping[str, object],
    ) -> None:
        self._num_iterations = num_iterations
        header = {
            "parameters": [parameter.model_dump() for parameter in parameters],
            "iterations": num_iterations,
            "seed": seed,
            "match": match,
        }
        self._state = StateFile(state, "tuning", header)
        progress = self._read() or TuneProgress(0, {p.name: float(p.start) for p in parameters}, Score(), 0)
        self._iterations, self._score, self._faults = progress.iterations, progress.score, progress.num_faults
        self._under_way: dict[int, Perturbation] = {}
        self._spsa = Spsa(parameters, num_iterations, seed, progress.values)

    @property
    def progress(self) -> TuneProgress:
        return TuneProgress(self._iterations, dict(self._spsa.values), self._score, self._faults)

    def values_toml(self) -> str:
        """The values as a TOML table, exact ones in comments."""
        lines = [f"# after {self._iterations} of {self._num_iterations} iterations", "[options]"]
        for name, value in self._spsa.rounded().items():
            lines.append(f"{toml_value(name)} = {toml_value(value)}  # {self._spsa.values[name]:.4f}")
        return "\n".join(lines) + "\n"

    def play(
        self, games: SettingGames, on_pair: Callable[[TuneProgress], None] | None = None
    ) -> TuneProgress:
        """Plays what is left; KeyboardInterrupt ends it early."""

        def on_result(result: PairResult) -> None:
            self._learn(result)
            if on_pair is not None:
                on_pair(self.progress)

        games.play(self._settings(), on_result)
        return self.progress

    def _settings(self) -> Iterator[SettingPair]:
        for iteration in range(self._iterations + 1, self._num_iterations + 1):
            perturbed = self._under_way[iteration] = self._spsa.perturb(iteration)
            yield SettingPair(iteration, perturbed.plus, perturbed.minus)

    def _learn(self, result: PairResult) -> None:
        perturbed = self._under_way.pop(result.index)
        if not result.is_broken:
            self._spsa.learn(perturbed, result.score.wins - result.score.losses)
        self._score += result.score
        self._faults += result.num_faults
        self._iterations += 1
        self._write()

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

    def _read(self) -> TuneProgress | None:
        stored = self._state.read()
        if stored is None:
            return None
        try:
            values = {str(name): float(value) for name, value in stored["values"].items()}
            return TuneProgress(
                int(stored["done"]), values, Score(*map(int, stored["score"])), int(stored["faults"])
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._state.damage(error) from error
