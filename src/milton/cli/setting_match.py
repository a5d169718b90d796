"""What `milton tune` and `milton screen` share: one engine that plays itself with different options."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from milton.cli.engine_options import judge_of, openings_of, referee_of

if TYPE_CHECKING:
    from milton.arena import OpeningJudge
    from milton.rating import CommonOptions, EngineFacts, MoveLimit, PlayerSpec, Referee, SettingGames

# More openings than this are not needed: an opening that comes again meets other values.
_MOST_OPENINGS = 5_000


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
    *,
    margin_ms: int,
    adjudicate: bool,
    opening_plies: int,
    seed: int,
) -> SettingMatch:
    """`options` stay or are where the values start; `ranges` are the ends that the engine must accept."""
    from milton.rating import probe_engine, uci_spec

    spec = uci_spec(engine, limit, common=common, options=dict(options))
    lows, highs = ({name: ends[side] for name, ends in ranges.items()} for side in (0, 1))
    facts = probe_engine(spec, lows, highs)
    referee = referee_of(margin_ms, adjudicate=adjudicate, draw=(40, 8, 10), win=(4, 600))
    return SettingMatch(spec, facts, referee, judge_of(opening_plies, seed))
