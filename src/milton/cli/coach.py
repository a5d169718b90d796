"""`milton coach`: a weakness report of a run's games or of any PGN file, and the reports a run has."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.options import Changes, RunFolder, overrides_of
from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from milton.coach import WeaknessReport
    from milton.config import CoachSettings
    from milton.replay import GameBlock
    from milton.rundir import RunDir

app = typer.Typer(invoke_without_command=True)
Details = Annotated[
    bool, typer.Option("--details", help="Also print the mean loss, the number of tests and the statistic.")
]
Iteration = Annotated[int | None, typer.Option(min=1, help="Iteration; default: the newest.")]


NOTHING_FOUND = (
    "nothing found: no kind of position costs clearly more than the others do. "
    "More games may show more; --details says what was tested."
)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="coach")


@app.callback()
def coach(
    context: typer.Context,
    run: RunFolder = None,
    iteration: Iteration = None,
    pgn: Annotated[Path | None, typer.Option(help="A file of chess games instead of a run's own.")] = None,
    provider: Annotated[
        str | None, typer.Option(help="offline, grok, openai, ollama, or any name with coach.base_url.")
    ] = None,
    details: Details = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Write nothing; with a language model, show the prompt."),
    ] = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Look for weaknesses in games. In a run, the next training gives such positions more weight.

    Example: milton coach --run runs/chess

    Any chess games, with values from the file or else from a network: milton coach --pgn games.pgn

    Existing reports of a run: milton coach show --run runs/chess
    """
    if context.invoked_subcommand is not None:
        return
    if run is None and pgn is None:
        raise typer.BadParameter("give --run, --pgn or both (the run's network then values the games)")
    overrides = overrides_of(changes)
    if provider is not None:
        overrides["coach.provider"] = provider
    if pgn is not None:
        _coach_pgn(pgn, run, overrides, dry_run=dry_run, as_json=as_json, details=details)
    else:
        assert run is not None
        _coach_run(run, iteration, overrides, dry_run=dry_run, as_json=as_json, details=details)


@app.command()
def show(
    run: Annotated[Path, typer.Option(help="Run folder.")],
    iteration: Iteration = None,
    details: Details = False,
    as_json: AsJson = False,
) -> None:
    """Show a report of a run, and which of its weaknesses are weighted.

    Example: milton coach show --run runs/chess --iteration 10
    """
    from milton.coach import latest_report
    from milton.errors import CoachError
    from milton.rundir import RunDir

    with RunDir.open(run, writable=False) as opened:
        report = latest_report(opened, iteration)
    if report is None:
        which = "no report yet" if iteration is None else f"no report of iteration {iteration}"
        raise CoachError(f"{str(run)!r} has {which}; `milton coach --run {run}` writes one")
    _print(report, as_json=as_json, details=details)


def _coach_pgn(
    pgn: Path, run: Path | None, overrides: dict[str, object], *, dry_run: bool, as_json: bool, details: bool
) -> None:
    from milton.cli.options import settings_of
    from milton.coach.pgn import read_pgn
    from milton.errors import CoachError
    from milton.inference.sparse import load_sparse
    from milton.play import find_checkpoint

    settings = settings_of(run, game="chess" if run is None else None, overrides=overrides)
    if settings.game != "chess":
        raise CoachError(f"PGN is for chess, and {str(run)!r} learns {settings.game}")
    checkpoint = find_checkpoint("chess", None, run)
    games = read_pgn(pgn, None if checkpoint is None else load_sparse(checkpoint))
    if games.num_skipped:
        typer.echo(
            f"milton: {games.num_skipped} games are left out: variants, unfinished, unreadable", err=True
        )
    _ask_and_print([games.block], settings.coach, 0, dry_run=dry_run, as_json=as_json, details=details)


def _coach_run(
    path: Path,
    iteration: int | None,
    overrides: dict[str, object],
    *,
    dry_run: bool,
    as_json: bool,
    details: bool,
) -> None:
    from milton.coach import put_in_force
    from milton.errors import CoachError
    from milton.loop import open_window
    from milton.replay import ShardReader
    from milton.rundir import RunDir

    started_s = time.time()
    with RunDir.open(path, writable=not dry_run) as run:
        settings = run.settings_now(overrides)
        number, shard = _shard(run, iteration)
        blocks = list(ShardReader(shard).blocks())
        if dry_run:
            _ask_and_print(blocks, settings.coach, number, dry_run=True, as_json=as_json, details=details)
            return
        report = _ask(blocks, settings.coach, number)
        if report.problem:
            raise CoachError(report.problem)
        window = open_window(run, settings)
        window.update(run.shard_paths())
        _print(put_in_force(run, window, report, settings.coach, started_s), as_json=as_json, details=details)


def _shard(run: "RunDir", iteration: int | None) -> tuple[int, Path]:
    from milton.errors import CoachError

    shards = [entry for entry in run.shard_paths() if iteration in (None, entry[0])]
    if not shards:
        which = "any iteration" if iteration is None else f"iteration {iteration}"
        raise CoachError(f"run {str(run.path)!r} has no games of {which}")
    return shards[-1]


def _ask_and_print(
    blocks: list["GameBlock"],
    settings: "CoachSettings",
    iteration: int,
    *,
    dry_run: bool,
    as_json: bool,
    details: bool,
) -> None:
    from milton.coach import OFFLINE
    from milton.errors import CoachError

    if dry_run and settings.provider != OFFLINE:
        _print_prompt(blocks, settings, iteration, as_json=as_json)
        return
    report = _ask(blocks, settings, iteration)
    if report.problem:
        raise CoachError(report.problem)
    _print(report, as_json=as_json, details=details)


def _ask(blocks: list["GameBlock"], settings: "CoachSettings", iteration: int) -> "WeaknessReport":
    from rich.console import Console

    from milton.coach import ask_coach

    with Console(stderr=True).status(f"asking {settings.provider}"):
        return ask_coach(blocks, settings, iteration)


def _print_prompt(
    blocks: list["GameBlock"], settings: "CoachSettings", iteration: int, *, as_json: bool
) -> None:
    from milton.coach.budget import MonthlyBudget
    from milton.coach.offline import offline_report
    from milton.coach.prompt import build_prompt

    prompt = build_prompt(blocks, offline_report(blocks, settings, iteration), settings)
    if as_json:
        print_json({"system": prompt.system, "user": prompt.user, "tokens": prompt.tokens})
        return
    typer.echo(f"{prompt.system}\n{prompt.user}")
    spent = MonthlyBudget(settings.monthly_token_budget).used()
    typer.echo(
        f"about {prompt.tokens:,} tokens with {prompt.num_games} games; nothing was sent. This month "
        f"{spent:,} of {settings.monthly_token_budget:,} tokens are spent",
        err=True,
    )


def _print(report: "WeaknessReport", *, as_json: bool, details: bool) -> None:
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    from rich.text import Text

    where = f"iteration {report.iteration}, " if report.iteration else ""
    model = f" ({report.model})" if report.model else ""
    loss = f", mean loss {report.mean_loss:.4f}" if details else ""
    screen = console()
    screen.print(
        Text(
            f"{where}{report.provider}{model}: {report.num_games:,} games, {report.num_positions:,} "
            f"positions judged{loss}"
        )
    )
    if report.problem:
        screen.print(Text(f"no weaknesses: {report.problem}", style="yellow"))
    elif not report.weaknesses:
        screen.print(Text(NOTHING_FOUND))
    else:
        screen.print(_table(report))
        screen.print(Text(_what_to_do(report)))
    if report.practice is not None:
        screen.print(Text(f"practice: {report.practice}"))
    if details and report.statistic:
        screen.print(Text(f"{report.num_tested} tested: {report.statistic}", style="dim"))


def _table(report: "WeaknessReport") -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("severity", "share", "category", "positions", "description", ""):
        table.add_column(title, justify="right" if title in ("severity", "share") else "left")
    for weakness in report.weaknesses:
        share = "–" if weakness.share is None else f"{weakness.share:.1%}"
        # Text, never markup: descriptions may come from a language model.
        words = (weakness.category, str(weakness.fingerprint), weakness.description, weakness.ignored)
        table.add_row(f"{weakness.severity:.2f}", share, *(Text(word) for word in words))
    return table


def _what_to_do(report: "WeaknessReport") -> str:
    if not report.iteration:
        return "`milton review FILE` shows such moves in the games, and what was better."
    in_force = [weakness for weakness in report.weaknesses if weakness.share is not None]
    if not in_force:
        return "Nothing was written, so training does not change."
    if all(weakness.ignored for weakness in in_force):
        return "Training gives these positions no extra weight; the last column says why."
    return "The next training gives these positions more weight; you need not do anything."
