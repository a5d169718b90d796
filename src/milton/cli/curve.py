"""`milton curve`: how strong a run was after how long, on the scale of published ratings."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.loop.rated_curve import RatedNetwork


def register(app: typer.Typer) -> None:
    app.command("curve")(curve)


def curve(
    runs: Annotated[list[Path], typer.Argument(help="Run folders; they are only read.")],
    time_control: Annotated[
        str | None,
        typer.Option("--tc", help="Only ratings with this time limit, such as 4+0.04; default: all."),
    ] = None,
    cores: Annotated[
        int, typer.Option(min=0, help="Divide processor time by so many cores; 0: those of this machine.")
    ] = 0,
    svg: Annotated[Path | None, typer.Option(help="Draw the curve of every run.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show how strong runs were after how long, by ratings that `milton rate --run` and milestones stored.

    Example: milton curve runs/chess --tc 4+0.04 --cores 2 --svg curve.svg
    """
    from milton.errors import RunError
    from milton.loop.rated_curve import draw_rated, rated_networks
    from milton.rundir import RunDir, write_text

    num_cores = cores or os.cpu_count() or 1
    found: list[tuple[str, tuple[RatedNetwork, ...]]] = []
    for path in runs:
        with RunDir.open(path, writable=False) as run:
            rated = rated_networks(run, num_cores, time_control)
            if not rated:
                clock = f" at {time_control}" if time_control else ""
                raise RunError(
                    f"{str(path)!r} has no network with a rating{clock} and a recorded processor time; "
                    f"`milton rate --run {path} --pool ccrl` rates its network of today"
                )
            found.append((run.name, rated))
    if svg is not None:
        write_text(svg, draw_rated(found, num_cores, "Strength over time, from random weights"))
    if as_json:
        print_json({"cores": num_cores, "networks": [row for run in found for row in _objects(*run)]})
    else:
        _print_table(found, num_cores)


def _objects(name: str, rated: "tuple[RatedNetwork, ...]") -> list[dict[str, object]]:
    return [
        {
            "run": name,
            "network": network.rating.network,
            "minutes": round(network.minutes, 2),
            "positions": network.num_positions,
            "rating": round(network.rating.elo, 1),
            "low": round(network.rating.low, 1),
            "high": round(network.rating.high, 1),
            "pool": network.rating.pool,
            "time_control": network.rating.time_control,
            "games": network.rating.num_games,
        }
        for network in rated
    ]


def _print_table(found: "list[tuple[str, tuple[RatedNetwork, ...]]]", num_cores: int) -> None:
    table = Table("network", f"minutes of {num_cores} cores", "positions", "rating", "95 %", "games, clock")
    for name, rated in found:
        for network in rated:
            rating = network.rating
            cells = (
                f"{name}/{rating.network}",
                f"{network.minutes:.1f}",
                f"{network.num_positions:,}",
                f"{rating.elo:,.0f}",
                f"{rating.low:,.0f} … {rating.high:,.0f}",
                f"{rating.num_games}, {rating.time_control}",
            )
            table.add_row(*(Text(cell) for cell in cells))
    console().print(table)
