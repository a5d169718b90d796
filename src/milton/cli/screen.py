"""`milton screen`: which of many UCI options matter, by games in which all of them vary at once."""

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
    from milton.rating import ScreeningProgress


def register(app: typer.Typer) -> None:
    app.command("screen")(screen)


def screen(
    file: Annotated[Path, typer.Argument(help="TOML with tables `factors`: name, low, high.")],
    engine: EngineName = "champion",
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games in all; more may be added later.")] = 500,
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
    state: Annotated[
        Path | None, typer.Option("--state", help="Keeps the figures, to resume; default: FILE.state.json.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate the effect of many UCI options at once (a screening design); the same command resumes.

    In every pair of games each option is high for one side and low for the other, at random. Confirm what you
    choose with `milton sprt`.

    Example: milton screen numbers.toml "milton uci --tuning" --pairs 500 --nodes 5000
    """
    from milton.config import read_model
    from milton.rating import CommonOptions, Screening, ScreeningFile, num_cores

    factors = read_model(file, ScreeningFile).factors
    match = setting_match(
        engine,
        limit_of(time_control, nodes),
        CommonOptions(hash_mb, threads, overhead),
        engine_options(options) | {factor.name: factor.low for factor in factors},
        {factor.name: (factor.low, factor.high) for factor in factors},
        referee_of(margin, adjudicate=adjudicate),
        judge_of(opening_plies, seed),
    )
    screening = Screening(
        factors, pairs, seed=seed, state=state or file.with_suffix(".state.json"), match=match.identity
    )
    if not as_json:
        match.print_head()
        if screening.progress.num_pairs:
            typer.echo(f"resumes after {screening.progress.num_pairs} pairs")
    games = match.games(pairs, workers or num_cores(), seed, quiet=as_json)
    with pair_reports("screen", pairs, quiet=as_json) as report:
        progress = screening.play(games, lambda now: report(now.num_pairs, _strongest(now)))
    if as_json:
        print_json(
            {
                "pairs": progress.num_pairs,
                "of": pairs,
                "faults": progress.num_faults,
                "effects": [
                    {
                        "name": effect.factor.name,
                        "low": effect.factor.low,
                        "high": effect.factor.high,
                        "elo": effect.elo,
                        "standard_error": effect.standard_error,
                    }
                    for effect in progress.effects
                ],
            }
        )
        return
    typer.echo(f"{progress.num_pairs} of {pairs} pairs, {progress.num_faults} faults; Elo of high minus low")
    for line in table(progress):
        typer.echo(line)
    if progress.num_pairs < pairs:
        typer.echo("to resume: the same command")


def table(progress: "ScreeningProgress") -> list[str]:
    """The effects, largest first."""
    widest = max(len(effect.factor.name) for effect in progress.effects)
    return [
        f"{effect.factor.name:{widest}}  {effect.factor.low:>8g} {effect.factor.high:>8g}  "
        f"{effect.elo:+7.1f} ± {effect.standard_error:.1f}  {effect.sigmas:+5.1f} standard errors"
        for effect in sorted(progress.effects, key=lambda effect: -abs(effect.elo))
    ]


def _strongest(progress: "ScreeningProgress") -> str:
    strongest = max(progress.effects, key=lambda effect: abs(effect.elo))
    return f"largest so far {strongest.factor.name} {strongest.elo:+.0f} ± {strongest.standard_error:.0f} Elo"
