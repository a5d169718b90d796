"""Tunes UCI options by games: pairs between two perturbed settings of one engine. Prints nothing.

The state file is replaced as a whole after each pair, so that a killed tuning loses only pairs under way.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from milton.arena import Opening, Score
from milton.config import derive_seed
from milton.config.toml_text import toml_value
from milton.errors import ArgumentError, RunError
from milton.rundir import write_text

from .adjudication import Referee
from .player_spec import PlayerSpec
from .spsa import Parameter, Perturbation, Spsa
from .workers import PairTask, PlayedPair, play_pairs_in_processes

_VERSION = 1


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
        self._state = state
        self._num_iterations = num_iterations
        self._header: dict[str, object] = json.loads(
            json.dumps(
                {
                    "parameters": [parameter.model_dump() for parameter in parameters],
                    "iterations": num_iterations,
                    "seed": seed,
                    "match": match,
                }
            )
        )
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
        self,
        engine: PlayerSpec,
        openings: Sequence[Opening],
        *,
        workers: int,
        referee: Referee,
        seed: int,
        on_pair: Callable[[TuneProgress], None] | None = None,
    ) -> TuneProgress:
        """Plays what is left; KeyboardInterrupt ends it early."""

        plus, minus = (replace(engine, name=f"{engine.name} ({side})") for side in ("plus", "minus"))

        def tasks() -> Iterator[PairTask]:
            for iteration in range(self._iterations + 1, self._num_iterations + 1):
                opening = openings[(iteration - 1) % len(openings)]
                perturbed = self._spsa.perturb(iteration)
                self._under_way[iteration] = perturbed
                values = (perturbed.plus, perturbed.minus)
                yield PairTask(plus, minus, opening, iteration, derive_seed(seed, iteration), referee, values)

        with suppress(KeyboardInterrupt), closing(play_pairs_in_processes(tasks(), workers)) as pairs:
            for pair in pairs:
                self._learn(pair)
                if on_pair is not None:
                    on_pair(self.progress)
        return self.progress

    def _learn(self, pair: PlayedPair) -> None:
        """Who moved first in the first game is plus."""
        points = [pair.games[0].points_of(0), pair.games[1].points_of(1)]
        # A broken game says nothing about the values.
        if not any(game.fault is not None and game.fault.kind != "time_loss" for game in pair.games):
            self._spsa.learn(self._under_way[pair.task.index], points.count(1.0) - points.count(0.0))
        del self._under_way[pair.task.index]
        self._score += Score(points.count(1.0), points.count(0.5), points.count(0.0))
        self._faults += sum(game.fault is not None for game in pair.games)
        self._iterations += 1
        self._write()

    def _write(self) -> None:
        score = self._score
        state = {
            "version": _VERSION,
            "tuning": self._header,
            "done": self._iterations,
            "values": self._spsa.values,
            "score": [score.wins, score.draws, score.losses],
            "faults": self._faults,
        }
        write_text(self._state, json.dumps(state, indent=1) + "\n")

    def _read(self) -> TuneProgress | None:
        if not self._state.exists():
            return None
        try:
            stored = json.loads(self._state.read_text(encoding="utf-8"))
            version, header = stored["version"], stored["tuning"]
            values = {str(name): float(value) for name, value in stored["values"].items()}
            progress = TuneProgress(
                int(stored["done"]), values, Score(*map(int, stored["score"])), int(stored["faults"])
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise RunError(
                f"{str(self._state)!r} is no state of a tuning: {error}; choose another file"
            ) from error
        if version != _VERSION or header != self._header:
            different = [name for name in self._header if header.get(name) != self._header[name]]
            raise ArgumentError(
                f"{str(self._state)!r} is of another tuning (other {', '.join(different) or 'version'}); "
                "choose another file with --state or delete this one"
            )
        return progress
