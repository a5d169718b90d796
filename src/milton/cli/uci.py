"""`milton uci`: the chess engine for GUIs. The protocol itself is milton.uci."""

from pathlib import Path
from typing import Annotated

import typer

from milton.cli.options import Device, DeviceName


def register(app: typer.Typer) -> None:
    app.command("uci")(uci)


def uci(
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Network to play with: a file, a run or `taught`; default: the shipped champion."),
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Play with this run's network.")] = None,
    device: Device = DeviceName.AUTO,
    tuning: Annotated[
        bool,
        typer.Option(
            "--tuning",
            help="Offer every alpha-beta parameter as an option, for `milton tune` and `milton screen`.",
        ),
    ] = False,
) -> None:
    """Speak UCI on stdin and stdout, as chess GUIs expect of an engine.

    Example, as the engine command of a GUI: milton uci --run runs/chess
    """
    from milton.uci import run_uci

    run_uci(checkpoint, run, device.value, tuning=tuning)
