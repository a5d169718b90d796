"""What `milton tune` and `milton screen` share: one engine that plays itself with different options."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from milton.cli.engine_options import (
    EngineMatchOptions,
    EngineName,
    FixedOptions,
    TimeControl,
    engine_options,
    openings_of,
)
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import OpeningJudge
    from milton.rating import EngineFacts, OptionStudy, PlayerSpec, Referee, StudyProgress, VariedOption

StudyState = Annotated[
    Path | None,
    typer.Option("--state", help="File with the state, to resume from; default: FILE.state.json."),
]
Progress = TypeVar("Progress", bound="StudyProgress")

# More openings than this are not needed: an opening that comes again meets other values.
_MOST_OPENINGS = 5_000
_PAIRS_A_LINE = 50


@dataclass(frozen=True, slots=True)
class SettingMatchOptions(EngineMatchOptions):
    """The engine that plays itself, and how (option_groups)."""

    engine: EngineName = "champion"
    time_control: TimeControl = "1+0.01"
    options: FixedOptions = None

    def match(self, varied: "Sequence[VariedOption]") -> "SettingMatch":
        """The engine must accept the ends of what varies."""
        from milton.rating import probe_engine, uci_spec

        options = engine_options(self.options) | {option.name: option.first_value for option in varied}
        spec = uci_spec(self.engine, self.limit, common=self.common, options=options)
        lows, highs = ({option.name: option.ends[side] for option in varied} for side in (0, 1))
        facts = probe_engine(spec, lows, highs)
        return SettingMatch(spec, facts, self.referee(), self.judge(), self.num_workers, self.seed)


@dataclass(frozen=True, slots=True)
class SettingMatch:
    spec: "PlayerSpec"
    facts: "EngineFacts"
    referee: "Referee"
    judge: "OpeningJudge"
    workers: int
    seed: int

    @property
    def identity(self) -> dict[str, object]:
        """What decides whether games that are kept belong to this match."""
        from milton.rating.sequential import player_identity

        return {
            "engine": player_identity(self.spec, self.facts.identity),
            "referee": self.referee.to_object(),
            "openings": self.judge.key,
        }

    def play(
        self,
        study: "OptionStudy[Progress]",
        describe: Callable[[Progress], str],
        *,
        command: str,
        quiet: bool,
    ) -> Progress:
        """Plays what is left of the study; `describe` says after a pair how it goes."""
        from milton.rating import SettingGames, num_cores

        if not quiet:
            self._print_head()
            if done := study.progress.num_pairs:
                typer.echo(f"resumes after {done} {study.unit}")
        openings = openings_of(self.judge, min(study.num_pairs, _MOST_OPENINGS), num_cores(), quiet=quiet)
        games = SettingGames(self.spec, openings, self.referee, self.workers, self.seed)
        with _pair_reports(command, study.num_pairs, quiet=quiet) as report:
            return study.play(games, lambda progress: report(progress.num_pairs, describe(progress)))

    def _print_head(self) -> None:
        command = shlex.join(self.spec.command)
        typer.echo(f"{self.facts}\n   {command}\nlimit {self.spec.limit}, {self.referee}")


@contextmanager
def _pair_reports(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int, str], None]]:
    """Yields what to call after each pair: a bar in a terminal, a line now and then elsewhere."""
    with progress_bar(title, total, hidden=quiet) as advance:

        def report(num_pairs: int, text: str) -> None:
            advance(num_pairs, total, text)
            is_told = num_pairs == 1 or num_pairs % _PAIRS_A_LINE == 0
            if is_told and not quiet and not sys.stdout.isatty():
                typer.echo(f"{num_pairs}: {text}")
                sys.stdout.flush()

        yield report
