"""Puts the commands together. A new command is a module here with `register`, and one entry in COMMANDS."""

from typing import Annotated

import typer

from milton.cli import bench, config_commands, doctor, model_commands, perft, runs_commands, uci

COMMANDS = (doctor, perft, bench, config_commands, runs_commands, model_commands, uci)

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
