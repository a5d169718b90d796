"""`milton tune`: UCI options tuned by games, with SPSA."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.option_groups import expand_groups
from milton.cli.output import AsJson, print_json
from milton.cli.setting_match import SettingMatchOptions, StudyState

if TYPE_CHECKING:
    from milton.rating import Parameter, TuneProgress


def register(app: typer.Typer) -> None:
    app.command("tune")(expand_groups(tune))


def tune(
    file: Annotated[
        Path, typer.Argument(help="TOML with tables `parameters`: name, start, min, max, c_end, r_end.")
    ],
    *,
    iterations: Annotated[int, typer.Option(min=1, help="Pairs of games in all.")] = 10_000,
    options: SettingMatchOptions,
    out: Annotated[
        Path | None, typer.Option(help="File for the values, as TOML; default: FILE.values.toml.")
    ] = None,
    state: StudyState = None,
    as_json: AsJson = False,
) -> None:
    """Tune UCI options by games between perturbed values (SPSA); the same command resumes.

    Example: milton tune search.toml champion --iterations 10000 --tc 1+0.01
    """
    from milton.config import read_model
    from milton.rating import Tuning, TuningFile

    parameters = read_model(file, TuningFile).parameters
    match = options.match(parameters)
    values_file = out or file.with_suffix(".values.toml")
    tuning = Tuning(
        parameters,
        iterations,
        seed=options.seed,
        state=state or file.with_suffix(".state.json"),
        values_file=values_file,
        match=match.identity,
    )
    progress = match.play(tuning, _values_text, command="tune", quiet=as_json)
    tuning.write_values()
    if as_json:
        figures = _figures(progress, parameters)
        print_json(figures | {"of": iterations, "values_file": values_file})
        return
    typer.echo(f"{progress.num_pairs} of {iterations} iterations, {progress.num_faults} faults")
    for parameter in parameters:
        typer.echo(f"{parameter.name}: {parameter.start:g} → {progress.values[parameter.name]:.4g}")
    typer.echo(str(values_file))
    if progress.num_pairs < iterations:
        typer.echo("to resume: the same command")


def _figures(progress: "TuneProgress", parameters: "tuple[Parameter, ...]") -> dict[str, object]:
    return {
        "iterations": progress.num_pairs,
        "values": progress.values,
        "start": {parameter.name: parameter.start for parameter in parameters},
        "games": [progress.score.wins, progress.score.draws, progress.score.losses],
        "faults": progress.num_faults,
    }


def _values_text(progress: "TuneProgress") -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in progress.values.items())
