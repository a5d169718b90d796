"""`milton ladder`: every champion of a run on one scale, with the learning curve."""

import dataclasses
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from milton.cli.options import Cluster, Threads, Workers, num_threads
from milton.cli.output import AsJson, console, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.arena import Meeting, RatingTable
    from milton.rating import Rung


class Axis(StrEnum):
    HOURS = "hours"
    POSITIONS = "positions"
    GAMES = "games"


def register(app: typer.Typer) -> None:
    app.command("ladder")(ladder)


def ladder(
    run: Annotated[Path, typer.Option(help="The run folder; it is only read.")],
    games: Annotated[int, typer.Option(min=2, help="Games per match; every opening is played twice.")] = 40,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations per move.")] = 400,
    every: Annotated[int, typer.Option(min=1, help="Take every k-th champion.")] = 1,
    svg: Annotated[Path | None, typer.Option(help="Draw the learning curve.")] = None,
    x_axis: Annotated[Axis, typer.Option("--x", help="Horizontal axis of the curve.")] = Axis.HOURS,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the openings.")] = 0,
    threads: Threads = 0,
    cluster: Cluster = None,
    workers: Workers = 0,
    as_json: AsJson = False,
) -> None:
    """Rate all champions of a run against each other, the first one at 0 Elo.

    Example: milton ladder --run runs/chess --every 3 --svg curve.svg --x positions
    """
    from milton.cli.cluster import open_workforce
    from milton.rating import draw_ladder, ladder_fixtures, play_ladder, rate_champions, read_rungs
    from milton.rundir import RunDir, write_text
    from milton.workforce import LocalWorkforce

    with RunDir.open(run, writable=False) as opened:
        settings, name = opened.settings(), opened.name
        rungs = read_rungs(opened, every)
    total = len(ladder_fixtures(len(rungs)))
    played: list[Meeting] = []
    with (
        open_workforce(cluster, workers, settings) as workforce,
        progress_bar("ladder", total, hidden=as_json) as advance,
    ):

        def on_match(meeting: "Meeting") -> None:
            played.append(meeting)
            advance(len(played), total, f"{meeting.player} – {meeting.opponent} {meeting.games}")

        meetings = play_ladder(
            rungs,
            settings,
            num_pairs=(games + 1) // 2,
            simulations=simulations,
            threads=num_threads(threads),
            seed=seed,
            on_match=on_match,
            play=(workforce or LocalWorkforce()).play_pairs,
        )
    ratings = rate_champions(rungs[0].name, meetings)
    if svg is not None:
        title = f"{name}: champions at {simulations} simulations a move"
        write_text(svg, draw_ladder(rungs, ratings, x_axis.value, title))
    if as_json:
        print_json({"run": name, "simulations": simulations, "rungs": _objects(rungs, ratings)})
    else:
        _print_table(rungs, ratings)


def _objects(rungs: "list[Rung]", ratings: "RatingTable") -> list[dict[str, object]]:
    rows = []
    for rung in rungs:
        rating = ratings[rung.name]
        figures = {"elo": rating.elo, "low": rating.low, "high": rating.high}
        score = dataclasses.asdict(rating.score)
        rounded = {key: round(value, 1) for key, value in figures.items()}
        rows.append(dataclasses.asdict(rung) | {"checkpoint": str(rung.checkpoint)} | rounded | score)
    return rows


def _print_table(rungs: "list[Rung]", ratings: "RatingTable") -> None:
    table = Table("champion", "hours", "positions", "games", "Elo", "95 %", "score")
    for rung in rungs:
        rating = ratings[rung.name]
        interval = "anchor" if rating.anchored else f"{rating.low:+.0f} … {rating.high:+.0f}"
        figures = (f"{rung.hours:.2f}", f"{rung.positions:,}", f"{rung.games:,}", f"{rating.elo:+.0f}")
        table.add_row(*(Text(cell) for cell in (rung.name, *figures, interval, str(rating.score))))
    console().print(table)
    typer.echo("Elo between networks of one run is larger than against outside opponents; see docs/arena.md")
