"""Puts the commands together.

A new command is a module here with `register`, one entry in COMMANDS and one in PANELS.
"""

import re
from inspect import cleandoc
from typing import Annotated

import typer

from milton.cli import (
    arena_commands,
    bench,
    coach,
    config_commands,
    curve,
    doctor,
    experiment,
    inspect,
    lab_commands,
    label,
    ladder,
    lichess,
    loop_commands,
    model_commands,
    perft,
    play,
    rate,
    review,
    runs_commands,
    screen,
    serve,
    solve_check,
    sprt,
    stage_commands,
    status,
    teach,
    track,
    tune,
    uci,
)

COMMANDS = (
    loop_commands,
    status,
    serve,
    runs_commands,
    track,
    stage_commands,
    label,
    coach,
    arena_commands,
    inspect,
    review,
    play,
    rate,
    solve_check,
    sprt,
    screen,
    tune,
    ladder,
    curve,
    teach,
    lab_commands,
    experiment,
    uci,
    lichess,
    model_commands,
    config_commands,
    doctor,
    bench,
    perft,
)

# The groups of `milton --help`, in this order, and what is in them.
PANELS = {
    "Learn": ("init", "loop", "status", "runs", "selfplay", "label", "train", "coach", "teach", "track"),
    "Play": ("play", "serve", "uci", "lichess", "inspect", "review"),
    "Measure": (
        "arena",
        "arena-baseline",
        "rate",
        "tournament",
        "sprt",
        "screen",
        "tune",
        "ladder",
        "curve",
        "solve-check",
        "validate",
        "bench",
        "perft",
    ),
    "Study": ("lab", "experiment"),
    "Files and installation": ("export", "verify", "config", "doctor"),
}

_HELP = """Milton teaches itself chess, Santorini and Connect Four from the rules alone, on a CPU.

First steps:
  milton play      play chess against the shipped network
  milton loop      learn chess from random weights until Ctrl-C
  milton serve     play, analyse and watch a run in the browser
  milton doctor    check the installation

`milton COMMAND -h` explains a command and shows an example.
"""

app = typer.Typer(
    name="milton",
    help=_HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from milton import __version__

        typer.echo(f"milton {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """The options of `milton` itself; _HELP says what it is."""


for command in COMMANDS:
    command.register(app)


def _arrange() -> None:
    """Puts every command into its panel, in the order of PANELS."""
    place = {name: (panel, index) for panel, names in PANELS.items() for index, name in enumerate(names)}
    panels = list(PANELS)
    for info in app.registered_commands:
        info.rich_help_panel = place.get(str(info.name), (panels[-1], 0))[0]
    for group in app.registered_groups:
        group.rich_help_panel = place.get(str(group.name), (panels[-1], 0))[0]
    order = {name: (panels.index(panel), index) for name, (panel, index) in place.items()}
    app.registered_commands.sort(key=lambda info: order.get(str(info.name), (len(panels), 0)))


def _fit_help_to_terminals(group: typer.Typer) -> None:
    """Joins the lines of a paragraph, which typer would break as the source does; examples keep theirs."""
    for info in group.registered_commands:
        text = cleandoc(info.help or (info.callback and info.callback.__doc__) or "")
        info.help = re.sub(r"(?<!\n)\n(?!\n|Example)", " ", text)
    for subgroup in group.registered_groups:
        if subgroup.typer_instance is not None:
            _fit_help_to_terminals(subgroup.typer_instance)


_arrange()
_fit_help_to_terminals(app)
