"""Pairs of games between two settings of one engine, and the file that keeps their figures."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from milton.arena import Opening, Score
from milton.config import derive_seed
from milton.errors import ArgumentError, RunError
from milton.rundir import write_text

from .adjudication import Referee
from .player_spec import PlayerSpec
from .workers import PairTask, PlayedPair, play_pairs_in_processes

_VERSION = 1
OptionValues = dict[str, int | float]


@dataclass(frozen=True, slots=True)
class SettingPair:
    """UCI options of the two sides of a pair of games."""

    index: int  # from 1; chooses opening and seed
    plus: OptionValues
    minus: OptionValues


@dataclass(frozen=True, slots=True)
class PairResult:
    index: int
    score: Score  # of plus, two games
    num_faults: int
    is_broken: bool  # something other than a time loss ended a game: it says nothing about the values


@dataclass(frozen=True, slots=True)
class SettingGames:
    """How an engine plays itself with different options."""

    engine: PlayerSpec
    openings: Sequence[Opening]
    referee: Referee
    workers: int
    seed: int

    def play(self, settings: Iterable[SettingPair], on_result: Callable[[PairResult], None]) -> None:
        """Results come as pairs end; settings are asked for shortly before they are played.

        KeyboardInterrupt ends it early.
        """
        pairs = play_pairs_in_processes(self._tasks(settings), self.workers)
        with suppress(KeyboardInterrupt), closing(pairs):
            for pair in pairs:
                on_result(_result(pair))

    def _tasks(self, settings: Iterable[SettingPair]) -> Iterator[PairTask]:
        plus, minus = (
            replace(self.engine, name=f"{self.engine.name} ({side})") for side in ("plus", "minus")
        )
        for pair in settings:
            opening = self.openings[(pair.index - 1) % len(self.openings)]
            seed, values = derive_seed(self.seed, pair.index), (pair.plus, pair.minus)
            yield PairTask(plus, minus, opening, pair.index, seed, self.referee, values)


def _result(pair: PlayedPair) -> PairResult:
    points = pair.points
    return PairResult(
        pair.task.index,
        Score(points.count(1.0), points.count(0.5), points.count(0.0)),
        len(pair.faults),
        any(fault.kind != "time_loss" for _, fault in pair.faults),
    )


# What reading figures out of a damaged state may raise.
BAD_FIGURES = (ValueError, KeyError, TypeError, AttributeError, OverflowError)


class StateFile:
    """Keeps figures with a header that says what they belong to. Replaced as a whole each time."""

    def __init__(self, path: Path, kind: str, header: Mapping[str, object]) -> None:
        """`kind` is the noun for people: "tuning", "screening"."""
        self._path = path
        self._kind = kind
        self._header: dict[str, object] = json.loads(json.dumps(header))

    def read(self) -> dict[str, Any] | None:
        """The figures, None if there is no file yet; a file of something else is refused."""
        if not self._path.exists():
            return None
        try:
            text = self._path.read_text(encoding="utf-8")
            stored = json.loads(text, parse_float=_finite, parse_constant=_finite)
            version, header = stored["version"], stored[self._kind]
            different = [name for name, value in self._header.items() if header.get(name) != value]
        except (OSError, RecursionError, *BAD_FIGURES) as error:
            raise self.damage(error) from error
        if version != _VERSION or header != self._header:
            reason = ", ".join(different) or "version"
            raise ArgumentError(
                f"{str(self._path)!r} is of another {self._kind} (other {reason}); "
                "choose another file with --state or delete this one"
            )
        return dict(stored)

    def damage(self, error: Exception) -> RunError:
        """The error for a file whose figures cannot be used."""
        return RunError(
            f"{str(self._path)!r} is not the state of a {self._kind}: {error}; choose another file"
        )

    def write(self, figures: Mapping[str, object]) -> None:
        state = {"version": _VERSION, self._kind: self._header, **figures}
        write_text(self._path, json.dumps(state, indent=1) + "\n")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number
