"""Puts the commands together. A new command is a module here with `register`, and one entry in COMMANDS."""

from typing import Annotated

import typer

from milton.cli import (
    arena_commands,
    bench,
    coach,
    config_commands,
    doctor,
    inspect,
    lab_commands,
    ladder,
    lichess,
    loop_commands,
    model_commands,
    perft,
    play,
    rate,
    runs_commands,
    serve,
    stage_commands,
    status,
    teach,
    uci,
)

# In the order of `milton --help`: learning, looking, playing, the rest.
COMMANDS = (
    loop_commands,
    status,
    serve,
    runs_commands,
    stage_commands,
    coach,
    arena_commands,
    inspect,
    play,
    rate,
    ladder,
    teach,
    lab_commands,
    uci,
    lichess,
    model_commands,
    config_commands,
    doctor,
    bench,
    perft,
)

app = typer.Typer(
    name="milton",
    help="Milton teaches itself board games on a CPU.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from milton import __version__

        typer.echo(f"milton {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Milton teaches itself board games on a CPU."""


for command in COMMANDS:
    command.register(app)
