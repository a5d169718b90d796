"""`milton tune`: UCI options tuned by games, with SPSA."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.engine_options import (
    Adjudicate,
    EngineName,
    EngineThreads,
    FixedOptions,
    HashMb,
    Margin,
    Nodes,
    OpeningPlies,
    Overhead,
    Seed,
    TimeControl,
    engine_options,
    judge_of,
    limit_of,
    referee_of,
)
from milton.cli.options import LocalWorkers
from milton.cli.output import AsJson, print_json
from milton.cli.setting_match import pair_reports, setting_match

if TYPE_CHECKING:
    from milton.rating import Parameter, TuneProgress


def register(app: typer.Typer) -> None:
    app.command("tune")(tune)


def tune(
    file: Annotated[
        Path, typer.Argument(help="TOML with tables `parameters`: name, start, min, max, c_end, r_end.")
    ],
    engine: EngineName = "champion",
    iterations: Annotated[int, typer.Option(min=1, help="Pairs of games in all.")] = 10_000,
    time_control: TimeControl = "1+0.01",
    nodes: Nodes = None,
    workers: LocalWorkers = None,
    options: FixedOptions = None,
    hash_mb: HashMb = 16,
    threads: EngineThreads = 1,
    overhead: Overhead = 10,
    margin: Margin = 10,
    adjudicate: Adjudicate = True,
    seed: Seed = 0,
    opening_plies: OpeningPlies = 8,
    out: Annotated[Path | None, typer.Option(help="Values as TOML; default: FILE.values.toml.")] = None,
    state: Annotated[
        Path | None, typer.Option("--state", help="Keeps the tuning, to resume; default: FILE.state.json.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tune UCI options by games between perturbed values (SPSA); the same command resumes.

    Example: milton tune search.toml champion --iterations 10000 --tc 1+0.01
    """
    from milton.config import read_model
    from milton.rating import CommonOptions, Tuning, TuningFile, num_cores
    from milton.rundir import write_text

    parameters = read_model(file, TuningFile).parameters
    match = setting_match(
        engine,
        limit_of(time_control, nodes),
        CommonOptions(hash_mb, threads, overhead),
        engine_options(options) | {parameter.name: parameter.start for parameter in parameters},
        {parameter.name: (parameter.min, parameter.max) for parameter in parameters},
        referee_of(margin, adjudicate=adjudicate),
        judge_of(opening_plies, seed),
    )
    tuning = Tuning(
        parameters,
        iterations,
        seed=seed,
        state=state or file.with_suffix(".state.json"),
        match=match.identity,
    )
    values_file = out or file.with_suffix(".values.toml")
    if not as_json:
        match.print_head()
        if tuning.progress.iterations:
            typer.echo(f"resumes after {tuning.progress.iterations} iterations")
    games = match.games(iterations, workers or num_cores(), seed, quiet=as_json)
    with pair_reports("tune", iterations, quiet=as_json) as report:

        def on_pair(progress: "TuneProgress") -> None:
            report(progress.iterations, values_text(progress, parameters))
            write_text(values_file, tuning.values_toml())

        progress = tuning.play(games, on_pair)
    write_text(values_file, tuning.values_toml())
    if as_json:
        print_json(
            {
                "iterations": progress.iterations,
                "of": iterations,
                "values": progress.values,
                "start": {parameter.name: parameter.start for parameter in parameters},
                "games": [progress.score.wins, progress.score.draws, progress.score.losses],
                "faults": progress.num_faults,
                "values_file": values_file,
            }
        )
        return
    typer.echo(f"{progress.iterations} of {iterations} iterations, {progress.num_faults} faults")
    for parameter in parameters:
        typer.echo(f"{parameter.name}: {parameter.start:g} → {progress.values[parameter.name]:.4g}")
    typer.echo(str(values_file))
    if progress.iterations < iterations:
        typer.echo("to resume: the same command")


def values_text(progress: "TuneProgress", parameters: "tuple[Parameter, ...]") -> str:
    return ", ".join(f"{parameter.name} {progress.values[parameter.name]:.4g}" for parameter in parameters)
