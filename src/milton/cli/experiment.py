"""`milton experiment`: several ways to learn, compared over several seeds at equal cost."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.output import AsJson, print_json
from milton.cli.progress import progress_bar

if TYPE_CHECKING:
    from milton.experiment import Experiment, Plan


def register(app: typer.Typer) -> None:
    app.command("experiment")(experiment)


def experiment(
    file: Annotated[
        Path, typer.Argument(help="TOML: game, seeds, cost, arms and matches; docs/experiment-howto.md.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of runs and figures; default: runs/experiments/NAME.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare ways to learn over several seeds at equal cost, by matches; write the figures as Markdown.

    The file names the ways, called arms. The same command resumes after any kill.

    Example: milton experiment docs/experiments/coach.toml
    """
    import milton.lab.players  # noqa: F401  (makes methods of the lab known by name)
    from milton.experiment import Experiment, Progress, markdown, read_plan
    from milton.extras import require
    from milton.rundir import DEFAULT_ROOT, write_text

    plan = read_plan(file)
    if any(arm.learns for arm in plan.arms):
        require("train", "an experiment with arms that learn")
    folder = out or DEFAULT_ROOT / "experiments" / file.stem
    told = ""
    interrupted = False
    with progress_bar(file.stem, None, hidden=as_json) as advance:

        def on_progress(progress: Progress) -> None:
            nonlocal told
            advance(progress.done, progress.total, progress.text)
            step = progress.text.partition(":")[0]
            if step != told and not as_json:
                told = step
                typer.echo(f"{progress.done:.0f} of {progress.total:.0f} done; {step}", err=True)

        conducted = Experiment(plan, folder, on_progress)
        try:
            conducted.conduct()
        except KeyboardInterrupt:
            interrupted = True
    text = markdown(file.stem, plan, conducted.runs, conducted.matches)
    report = folder / "report.md"
    write_text(report, text)
    if as_json:
        print_json({"report": report, "finished": not interrupted} | _figures(plan, conducted))
        return
    typer.echo(text)
    typer.echo(str(report))
    if interrupted:
        typer.echo("unfinished; to resume: the same command")
        raise typer.Exit(130)


def _figures(plan: "Plan", conducted: "Experiment") -> dict[str, object]:
    return {
        "seeds": list(plan.seeds),
        "single_seed": len(plan.seeds) == 1,
        "runs": [
            {
                "arm": run.arm,
                "seed": run.seed,
                "iterations": run.iterations,
                "positions": run.positions,
                "processor_s": run.processor_s,
            }
            for run in conducted.runs
        ],
        "matches": [
            {
                "arm": match.arm,
                "opponent": match.opponent,
                "seed": match.seed,
                "games": match.counts.num_games,
                "pentanomial": list(match.counts.pentanomial),
                "elo": match.estimate.elo if match.estimate is not None else None,
            }
            for match in conducted.matches
        ],
    }
