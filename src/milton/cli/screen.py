"""`milton screen`: which of many UCI options matter, by games in which all of them vary at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.option_groups import expand_groups
from milton.cli.output import AsJson, print_json
from milton.cli.setting_match import SettingMatchOptions, StudyState

if TYPE_CHECKING:
    from milton.rating import ScreeningProgress


def register(app: typer.Typer) -> None:
    app.command("screen")(expand_groups(screen))


def screen(
    file: Annotated[Path, typer.Argument(help="TOML with tables `factors`: name, low, high.")],
    *,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games in all; you can add more later.")] = 500,
    options: SettingMatchOptions,
    state: StudyState = None,
    as_json: AsJson = False,
) -> None:
    """Estimate the effect of many UCI options at once (a screening design); the same command resumes.

    In every pair of games each option is high for one side and low for the other, at random. Confirm what you
    choose with `milton sprt`.

    Example: milton screen numbers.toml "milton uci --tuning" --pairs 500 --nodes 5000
    """
    from milton.config import read_model
    from milton.rating import Screening, ScreeningFile

    factors = read_model(file, ScreeningFile).factors
    match = options.match(factors)
    state = state or file.with_suffix(".state.json")
    screening = Screening(factors, pairs, seed=options.seed, state=state, match=match.identity)
    progress = match.play(screening, _strongest, command="screen", quiet=as_json)
    if as_json:
        print_json({"pairs": progress.num_pairs, "of": pairs} | _figures(progress))
        return
    typer.echo(f"{progress.num_pairs} of {pairs} pairs, {progress.num_faults} faults; Elo of high minus low")
    for line in table(progress):
        typer.echo(line)
    if progress.num_pairs < pairs:
        typer.echo("to resume: the same command")


def _figures(progress: "ScreeningProgress") -> dict[str, object]:
    return {
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
