"""`milton runs`: the runs in a folder, one line each."""

import dataclasses
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.rundir import RunSummary


def register(app: typer.Typer) -> None:
    app.command("runs")(runs)


def runs(
    root: Annotated[Path, typer.Option(help="The folder that holds the runs.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """List runs: game, iteration, positions, promotions, Elo, and whether a loop is running.

    Example: milton runs --root runs
    """
    from milton.rundir import RunSummary, list_runs

    found = list(list_runs(root))
    if as_json:
        print_json([dataclasses.asdict(s) if isinstance(s, RunSummary) else {"error": str(s)} for s in found])
        return
    if not found:
        typer.echo(f"no runs in {str(root)!r}; `milton loop` starts one")
        return
    columns = (
        "run",
        "game",
        "profile",
        "iteration",
        "positions",
        "games",
        "promotions",
        "Elo",
        "changed",
        "state",
    )
    table = Table(*columns)
    for summary in found:
        if isinstance(summary, RunSummary):
            table.add_row(*(Text(cell) for cell in _cells(summary)))
    console().print(table)
    for problem in found:
        if not isinstance(problem, RunSummary):
            typer.echo(f"unreadable: {problem}", err=True)


def _cells(summary: "RunSummary") -> tuple[str, ...]:
    rating = summary.latest_rating
    elo = rating.elo_interval if rating else "–"
    changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(summary.updated_s))
    state = "stopped" if summary.running_pid is None else f"running ({summary.running_pid})"
    figures = (summary.latest_iteration, summary.num_positions, summary.num_games, summary.num_promotions)
    return (
        summary.name,
        summary.game,
        summary.profile,
        *(f"{figure:,}" for figure in figures),
        elo,
        changed,
        state,
    )
