"""`milton track`: a run's figures as TensorBoard event files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from milton.rundir import RunDir


def register(app: typer.Typer) -> None:
    app.command("track")(track)


def track(
    run: Annotated[Path, typer.Option("--run", help="Run folder.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the event files; default: tensorboard in the run folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a run's metrics and Elo as event files for TensorBoard; needs the extra `track`.

    Example: milton track --run runs/chess && tensorboard --logdir runs/chess/tensorboard
    """
    from milton.extras import needed_for
    from milton.rundir import RunDir

    folder = out or run / "tensorboard"
    with RunDir.open(run, writable=False) as opened, needed_for("milton track"):
        num_points = _write_events(opened, folder)
    if as_json:
        print_json({"run": run, "folder": folder, "points": num_points})
    else:
        typer.echo(f"{num_points:,} points in {folder}; look at them with: tensorboard --logdir {folder}")


def _write_events(run: "RunDir", folder: Path) -> int:
    """Writes all points of the run; event files of an earlier call are replaced."""
    from tensorboard.summary import Writer

    for old in folder.glob("events.out.tfevents.*"):
        old.unlink()
    points = [(point.name, point.value, point.iteration, point.time_s) for point in run.database.metrics()]
    points += [
        (f"elo/{rating.kind}/{rating.opponent}", rating.elo, rating.iteration, rating.time_s)
        for rating in run.database.ratings()
    ]
    writer = Writer(str(folder))
    for name, value, iteration, time_s in points:
        writer.add_scalar(name, value, iteration, wall_time=time_s)
    writer.close()
    return len(points)
