"""`milton sprt`: which of two UCI engines is stronger, by a sequential test."""

import shlex
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.engine_options import (
    AdjudicationOptions,
    EngineMatchOptions,
    EngineName,
    StateFile,
    engine_options,
    new_state_file,
    openings_of,
)
from milton.cli.option_groups import expand_groups
from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.arena import OpeningJudge, Sprt
    from milton.rating import EngineFacts, PlayerSpec, Referee, SprtReport

OptionsOfA = Annotated[
    list[str] | None, typer.Option("--a-option", help="UCI option name=value for A; may be repeated.")
]
OptionsOfB = Annotated[list[str] | None, typer.Option("--b-option", help="The same for B.")]
GamesFile = Annotated[Path | None, typer.Option("--pgn", help="Write the games.")]

# Where nobody watches: a line after the first pair, then after so many.
_PAIRS_A_LINE = 10


class Model(StrEnum):
    LOGISTIC = "logistic"
    NORMALISED = "normalised"


def register(app: typer.Typer) -> None:
    app.command("sprt")(expand_groups(sprt))


@dataclass(frozen=True, slots=True)
class HypothesisOptions:
    """The hypotheses that the games test (option_groups)."""

    elo0: Annotated[float, typer.Option(help="Null hypothesis: Elo of A over B.")] = 0.0
    elo1: Annotated[float, typer.Option(help="Alternative hypothesis: Elo of A over B.")] = 10.0
    alpha: Annotated[float, typer.Option(help="Probability of accepting A if it is worth elo0.")] = 0.05
    beta: Annotated[float, typer.Option(help="Probability of rejecting A if it is worth elo1.")] = 0.05
    model: Annotated[Model, typer.Option(help="Unit of elo0 and elo1.")] = Model.LOGISTIC

    def test(self) -> "Sprt":
        from milton.arena import Sprt

        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, self.model.value)


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays, under which rules. Hypotheses are no part of it: others can be tested on the same games."""

    players: "tuple[PlayerSpec, PlayerSpec]"
    facts: "tuple[EngineFacts, EngineFacts]"
    referee: "Referee"
    judge: "OpeningJudge"

    @property
    def identity(self) -> dict[str, object]:
        """What decides whether games that are kept belong to this match."""
        from milton.rating.sequential import player_identity

        a, b = (
            player_identity(player, fact.identity)
            for player, fact in zip(self.players, self.facts, strict=True)
        )
        return {"a": a, "b": b, "referee": self.referee.to_object(), "openings": self.judge.key}


def sprt(
    a: EngineName,
    b: Annotated[str, typer.Argument(help="The other engine, named in the same way.")],
    *,
    hypotheses: HypothesisOptions,
    games: Annotated[int, typer.Option(min=2, help="Maximum number of games.")] = 20_000,
    options: EngineMatchOptions,
    a_options: OptionsOfA = None,
    b_options: OptionsOfB = None,
    adjudication: AdjudicationOptions,
    state: StateFile = None,
    pgn: GamesFile = None,
    as_json: AsJson = False,
) -> None:
    """Test whether engine A is stronger than engine B; stop as soon as the games decide.

    Example: milton sprt champion "../old/.venv/bin/milton uci" --tc 2+0.02 --elo0 0 --elo1 10

    One engine with another option: milton sprt champion champion --a-option CPuct=2.0 --nodes 1000
    """
    from milton.rating import MatchJournal, MatchSetup, num_cores, play_sprt, probe_engine, uci_spec

    test = hypotheses.test()
    first = uci_spec(a, options.limit, common=options.common, options=engine_options(a_options))
    second = uci_spec(b, options.limit, common=options.common, options=engine_options(b_options))
    if first.name == second.name:
        first, second = replace(first, name=f"{first.name} (A)"), replace(second, name=f"{second.name} (B)")
    facts = probe_engine(first), probe_engine(second)
    match = Match((first, second), facts, options.referee(adjudication), options.judge())
    if not as_json:
        _print_head(test, match, options.num_workers)
    path = state or new_state_file("sprt")
    screen = _Screen(test, quiet=as_json)
    with MatchJournal(path, match.identity) as journal:
        if not as_json and len(journal):
            typer.echo(f"resumes after {2 * len(journal)} games")
        openings = openings_of(match.judge, (games + 1) // 2, num_cores(), quiet=as_json)
        with screen:
            setup = MatchSetup(openings, options.num_workers, options.seed, match.referee, journal, pgn)
            report = play_sprt(test, first, second, setup, on_report=screen.show)
    if as_json:
        print_json(report_object(test, match, report, path))
    else:
        _print_end(test, report, path, resumed_by=state, num_games=games)


class _Screen:
    """One line that is rewritten in a terminal, a line now and then elsewhere."""

    def __init__(self, test: "Sprt", *, quiet: bool) -> None:
        from rich.live import Live

        screen = console()
        self._test = test
        self._quiet = quiet
        self._live = Live(console=screen, auto_refresh=False) if screen.is_terminal and not quiet else None
        self._next_line = 1

    def __enter__(self) -> "_Screen":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, report: "SprtReport") -> None:
        from rich.text import Text

        if self._live is not None:
            self._live.update(Text("\n".join(report_lines(self._test, report))), refresh=True)
        elif not self._quiet and report.counts.num_pairs >= self._next_line:
            self._next_line = _PAIRS_A_LINE * (report.counts.num_pairs // _PAIRS_A_LINE + 1)
            typer.echo(report_lines(self._test, report)[0])
            sys.stdout.flush()


def report_lines(test: "Sprt", report: "SprtReport") -> tuple[str, str]:
    """Results and test in one line, pairs and faults in another."""
    counts, state = report.counts, report.state
    unit = "Elo" if test.model == "logistic" else "normalised Elo"
    score = (
        f"{counts.score:.1%}, {report.estimate}, LOS {report.superiority:.1%}"
        if counts.num_pairs
        else "no games"
    )
    first = (
        f"{counts.num_games} games {counts.games}: {score}, "
        f"LLR {state.llr:+.2f} ({state.lower:.2f}, {state.upper:.2f}) "
        f"for {test.elo0:g} against {test.elo1:g} {unit}"
    )
    faults = "; ".join(
        f"{side}: " + ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in found.items())
        for side, found in zip("AB", report.faults, strict=True)
    )
    pairs = "-".join(map(str, counts.pentanomial))
    second = (
        f"pairs by points 0-½-1-1½-2: {pairs}; {report.num_adjudicated} games adjudicated, "
        f"{report.num_distinct} distinct; faults of {faults}"
    )
    return first, second


def _print_head(test: "Sprt", match: Match, workers: int) -> None:
    from milton.arena import describe_openings

    for side, player, fact in zip("AB", match.players, match.facts, strict=True):
        typer.echo(f"{side}: {player.name} = {fact}")
        typer.echo(f"   {shlex.join(player.command)}")
    typer.echo(f"limit {match.players[0].limit}, {workers} games at once, {match.referee}")
    typer.echo(f"{describe_openings(match.judge)}; error rates {test.alpha:g} and {test.beta:g}")


def _print_end(
    test: "Sprt", report: "SprtReport", path: Path, *, resumed_by: Path | None, num_games: int
) -> None:
    for line in report_lines(test, report):
        typer.echo(line)
    decision = report.state.decision
    if decision == "continue":
        typer.echo(f"undecided; games are kept in {path}")
        if report.counts.num_games < num_games:
            how = (
                "the same command"
                if resumed_by
                else f"the same command with --state {shlex.quote(str(path))}"
            )
            typer.echo(f"to resume: {how}")
        return
    winner = test.elo1 if decision == "accept" else test.elo0
    typer.echo(f"{decision}ed: {winner:g} Elo is the likelier hypothesis (games: {path})")
    typer.echo("a sequential test that stops early overstates Elo: quote the decision")


def report_object(test: "Sprt", match: Match, report: "SprtReport", path: Path) -> dict[str, object]:
    counts, estimate = report.counts, report.estimate
    return {
        "players": [
            {
                "name": player.name,
                "command": list(player.command),
                "identity": fact.identity,
                "hash_mb": fact.hash_mb,
                "threads": fact.threads,
                "overhead_ms": fact.overhead_ms,
                "options": dict(fact.options),
                "faults": found,
            }
            for player, fact, found in zip(match.players, match.facts, report.faults, strict=True)
        ],
        "limit": str(match.players[0].limit),
        "referee": match.referee.to_object(),
        "elo0": test.elo0,
        "elo1": test.elo1,
        "model": test.model,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": report.state.llr,
        "bounds": [report.state.lower, report.state.upper],
        "decision": report.state.decision,
        "games": counts.num_games,
        "wins": counts.games.wins,
        "draws": counts.games.draws,
        "losses": counts.games.losses,
        "pentanomial": list(counts.pentanomial),
        "elo": [estimate.elo, estimate.low, estimate.high] if estimate else None,
        "superiority": report.superiority,
        "adjudicated": report.num_adjudicated,
        "distinct_games": report.num_distinct,
        "state_file": path,
    }
