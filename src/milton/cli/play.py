"""`milton play`: a person against the engine in the terminal. Reads lines, so it works through pipes too."""

import random
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from milton.cli.options import Device, DeviceName, GameOfNetwork, chosen_game


class SideChoice(StrEnum):
    FIRST = "first"
    SECOND = "second"
    WHITE = "white"
    BLACK = "black"
    RANDOM = "random"

    def player_index(self) -> int:
        """0 first, 1 second."""
        if self is SideChoice.RANDOM:
            return random.randrange(2)
        return 0 if self in (SideChoice.FIRST, SideChoice.WHITE) else 1


def register(app: typer.Typer) -> None:
    app.command("play")(play)


def play(
    game: GameOfNetwork = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            help="The opponent's network: a file, a run or `taught`; default: the shipped champion."
        ),
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Play against this run's network.")] = None,
    side: Annotated[
        SideChoice, typer.Option("--side", "--human", help="Which side you play.")
    ] = SideChoice.FIRST,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=10, help="Strength, from 1 (knows the rules) to 10 (full strength)."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes per move, instead of a level.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds per move, instead of a level.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--fen", "--text", help="Start from this position in the game's notation.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed for the random choices of a level; default: every game differs.")
    ] = None,
    device: Device = DeviceName.AUTO,
) -> None:
    """Play against the engine in the terminal; `help` lists what you can type.

    Example: milton play --game santorini --side second --level 3

    Against the network of your own run: milton play --run runs/connect_four
    """
    from milton.cli.terminal_game import DEFAULT_LEVEL, TerminalGame, engine_opponent
    from milton.games import Position
    from milton.play import NO_NETWORK_WARNING, Engine, Limits, find_level, find_network

    given = [value for value in (level, nodes, seconds) if value is not None]
    if len(given) > 1:
        raise typer.BadParameter("give only one of --level, --nodes and --seconds")
    game = chosen_game(game, checkpoint, run)
    limits = find_level(game, level or DEFAULT_LEVEL).limits()
    if nodes is not None or seconds is not None:
        limits = Limits(nodes=nodes, movetime_s=seconds)
    network = find_network(game, checkpoint, run, device.value)
    if network.info is None:
        typer.echo(f"milton: {NO_NETWORK_WARNING}", err=True)
    position = Position.start(game) if text is None else Position.from_text(game, text)
    with Engine(network, seed=seed) as engine:
        opponent = engine_opponent(engine, limits)
        TerminalGame(network.name, opponent, position, side.player_index(), sys.stdin, typer.echo).play()
