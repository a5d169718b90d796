"""What `milton tune` and `milton screen` share: one engine that plays itself with different options."""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from milton.cli.engine_options import openings_of
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import OpeningJudge
    from milton.rating import CommonOptions, EngineFacts, MoveLimit, PlayerSpec, Referee, SettingGames

# More openings than this are not needed: an opening that comes again meets other values.
_MOST_OPENINGS = 5_000
_PAIRS_A_LINE = 50


@dataclass(frozen=True, slots=True)
class SettingMatch:
    spec: "PlayerSpec"
    facts: "EngineFacts"
    referee: "Referee"
    judge: "OpeningJudge"

    @property
    def identity(self) -> dict[str, object]:
        """What decides whether games that are kept belong to this match."""
        from milton.rating.sequential import player_identity

        return {
            "engine": player_identity(self.spec, self.facts.identity),
            "referee": self.referee.to_object(),
            "openings": self.judge.key,
        }

    def print_head(self) -> None:
        command = shlex.join(self.spec.command)
        typer.echo(f"{self.facts}\n   {command}\nlimit {self.spec.limit}, {self.referee}")

    def games(self, num_pairs: int, workers: int, seed: int, *, quiet: bool) -> "SettingGames":
        """What plays the pairs, once their openings have been made."""
        from milton.rating import SettingGames, num_cores

        openings = openings_of(self.judge, min(num_pairs, _MOST_OPENINGS), num_cores(), quiet=quiet)
        return SettingGames(self.spec, openings, self.referee, workers, seed)


def setting_match(
    engine: str,
    limit: "MoveLimit",
    common: "CommonOptions",
    options: Mapping[str, str | int | float],
    ranges: Mapping[str, tuple[int | float, int | float]],
    referee: "Referee",
    judge: "OpeningJudge",
) -> SettingMatch:
    """`options` stay or are where the values start; `ranges` are the ends that the engine must accept."""
    from milton.rating import probe_engine, uci_spec

    spec = uci_spec(engine, limit, common=common, options=dict(options))
    lows, highs = ({name: ends[side] for name, ends in ranges.items()} for side in (0, 1))
    return SettingMatch(spec, probe_engine(spec, lows, highs), referee, judge)


@contextmanager
def pair_reports(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int, str], None]]:
    """Yields what to call after each pair: a bar where somebody watches, a line now and then elsewhere."""
    with progress_bar(title, total, hidden=quiet) as advance:

        def report(num_pairs: int, text: str) -> None:
            advance(num_pairs, total, text)
            is_told = num_pairs == 1 or num_pairs % _PAIRS_A_LINE == 0
            if is_told and not quiet and not sys.stdout.isatty():
                typer.echo(f"{num_pairs}: {text}")
                sys.stdout.flush()

        yield report
