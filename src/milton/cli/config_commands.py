"""`milton config check|show|profiles`: what the settings are, what they mean and where they came from."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from milton.cli.options import Changes, ConfigFile, Game, Profile, overrides_of
from milton.cli.output import AsJson, console, counted, print_json

if TYPE_CHECKING:
    from milton.config import FieldDescription, LoadedSettings

RunFolder = Annotated[Path | None, typer.Option("--run", help="A run folder: show what that run uses.")]

config_app = typer.Typer(no_args_is_help=True, help="Show settings and check settings files.")


def register(app: typer.Typer) -> None:
    app.add_typer(config_app, name="config")


@config_app.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="Settings files.")],
    as_json: AsJson = False,
) -> None:
    """Check settings files; at the first error, say where and why and exit with 1.

    Example: milton config check ~/.milton/milton.toml
    """
    from milton.config import load_settings

    checked = []
    for file in files:
        loaded = load_settings(config_file=file, use_user_file=False)
        num_set = sum(1 for source in loaded.sources().values() if source == str(file))
        checked.append((file, loaded.settings.loop.profile, num_set))
    if as_json:
        print_json([dict(zip(("file", "profile", "keys_set"), entry, strict=True)) for entry in checked])
        return
    for file, profile, num_set in checked:
        typer.echo(f"{file}: right; sets {counted(num_set, 'key')} on top of profile {profile}")


@config_app.command()
def show(
    config_file: ConfigFile = None,
    run: RunFolder = None,
    profile: Profile = None,
    game: Game = None,
    changes: Changes = None,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a complete settings file.")] = False,
    only_set: Annotated[
        bool, typer.Option("--set-only", help="Show only values that differ from the defaults.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show every setting: its value, its meaning and where it came from.

    Example: milton config show --profile chess-reference --set train.batch_size=512
    """
    from milton.config import load_settings, to_toml

    loaded = load_settings(
        config_file=config_file,
        run_file=run / "milton.toml" if run else None,
        profile=profile,
        game=game,
        overrides=overrides_of(changes),
    )
    if as_toml:
        typer.echo(to_toml(loaded.settings, loaded.sources()), nl=False)
    elif as_json:
        print_json(_as_values(loaded, only_set=only_set))
    else:
        _print_table(loaded, only_set=only_set)


@config_app.command()
def profiles(as_json: AsJson = False) -> None:
    """List the built-in profiles.

    Example: milton config profiles
    """
    from milton.config import PROFILES

    if as_json:
        print_json(PROFILES)
        return
    table = Table("profile", "for")
    for name, purpose in PROFILES.items():
        table.add_row(name, purpose)
    console().print(table)


def _as_values(loaded: "LoadedSettings", *, only_set: bool) -> dict[str, dict[str, object]]:
    values = loaded.settings.model_dump(mode="json")
    return {
        field.name: {
            "value": values[field.table][field.key],
            "source": loaded.source_of(field.name),
            "allowed": field.allowed,
            "meaning": field.meaning,
        }
        for field in _shown_fields(loaded, only_set=only_set)
    }


def _shown_fields(loaded: "LoadedSettings", *, only_set: bool) -> "Iterator[FieldDescription]":
    """All settings, or those whose value is not the default. A run's file names all of them, defaults too."""
    from milton.config import Settings, describe_fields

    values, defaults = loaded.settings.model_dump(), Settings().model_dump()
    for field in describe_fields(Settings):
        if not only_set or values[field.table][field.key] != defaults[field.table][field.key]:
            yield field


def _print_table(loaded: "LoadedSettings", *, only_set: bool) -> None:
    from milton.config.toml_text import toml_value

    table = Table("setting", "value", "from", "meaning", show_lines=False)
    for field in _shown_fields(loaded, only_set=only_set):
        value = toml_value(getattr(getattr(loaded.settings, field.table), field.key))
        cells = (field.name, value, loaded.source_of(field.name), f"{field.meaning} ({field.allowed})")
        table.add_row(*(Text(cell) for cell in cells))  # Text: brackets in values are not markup
    console().print(table)
