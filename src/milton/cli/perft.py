"""`milton perft`: counts the leaves of the move tree, the standard test of a move generator."""

import signal
import time
from typing import Annotated

import typer

from milton.cli.options import GameName
from milton.cli.output import AsJson, print_json

MAX_DEPTH = 30


def register(app: typer.Typer) -> None:
    app.command("perft")(perft)


def perft(
    game: GameName = "chess",
    fen: Annotated[
        str | None,
        typer.Option(
            "--fen", "--text", help="Position in the game's notation (FEN for chess); default: the start."
        ),
    ] = None,
    depth: Annotated[int, typer.Option(min=0, max=MAX_DEPTH, help="Plies to look ahead.")] = 5,
    divide: Annotated[bool, typer.Option("--divide", help="Also count below each first move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the positions that are DEPTH plies away.

    Example: milton perft --depth 4 --divide
    """
    from milton import games

    position = games.Position.start(game) if fen is None else games.Position.from_text(game, fen)
    # The core counts without looking up, and there is nothing to save: Ctrl-C ends the process at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    started = time.perf_counter()
    counts = games.divide(position, depth) if divide and depth > 0 else None
    nodes = games.perft(position, depth) if counts is None else sum(counts.values())
    seconds = time.perf_counter() - started
    if as_json:
        result = {
            "game": game,
            "position": position.text,
            "depth": depth,
            "nodes": nodes,
            "seconds": seconds,
        }
        print_json(result if counts is None else {**result, "divide": counts})
        return
    for move, count in (counts or {}).items():
        typer.echo(f"{move}: {count}")
    typer.echo(f"{nodes:,} nodes at depth {depth} in {seconds:.3f} s")
