"""`milton inspect`: what a network and a search think of a position, move by move."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from milton.cli.options import Device, DeviceName, GameOfNetwork, chosen_game
from milton.cli.output import AsJson, console, print_json

if TYPE_CHECKING:
    from milton.games import Position
    from milton.play import Choice, Engine


def register(app: typer.Typer) -> None:
    app.command("inspect")(inspect)


def inspect(
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Network to use: a file, a run or `taught`; default: the shipped champion."),
    ] = None,
    run: Annotated[Path | None, typer.Option(help="Use this run's network.")] = None,
    game: GameOfNetwork = None,
    text: Annotated[
        str | None,
        typer.Option("--fen", "--text", help="Position in the game's notation; default: the start."),
    ] = None,
    advance: Annotated[
        int, typer.Option(min=0, max=1000, help="First let the search play this many plies.")
    ] = 0,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations per position.")] = 800,
    top_k: Annotated[int, typer.Option(min=1, help="Moves to show.")] = 10,
    device: Device = DeviceName.AUTO,
    as_json: AsJson = False,
) -> None:
    """Show priors, value and visits of the best moves in a position.

    Example: milton inspect --fen "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1" --simulations 2000

    What a run's network thinks three plies later: milton inspect --run runs/connect_four --advance 3
    """
    from milton.games import Position
    from milton.play import NO_NETWORK_WARNING, Engine, Limits, find_network

    game = chosen_game(game, checkpoint, run)
    network = find_network(game, checkpoint, run, device.value)
    if network.info is None:
        typer.echo(f"milton: {NO_NETWORK_WARNING}", err=True)
    engine = Engine(network)
    position = Position.start(game) if text is None else Position.from_text(game, text)
    position = _advance(engine, position, advance, simulations)
    # The network's own opinion: a search that goes no further than the position itself.
    opinion = engine.choose(position, Limits(simulations=1, fresh=True))
    choice = engine.choose(position, Limits(simulations=simulations, fresh=True), num_lines=top_k)
    if as_json:
        print_json(_as_dict(network.name, position, opinion, choice, top_k))
    else:
        _print_table(network.name, position, opinion, choice, top_k)


def _advance(engine: "Engine", position: "Position", num_plies: int, simulations: int) -> "Position":
    """Stops early where the game ends."""
    from milton.play import Limits

    for _ in range(num_plies):
        move = engine.choose(position, Limits(simulations=simulations)).move
        if move is None or position.outcome(claim_draws=True) is not None:
            break
        position = position.play(move)
    return position


def _as_dict(
    network: str, position: "Position", opinion: "Choice", choice: "Choice", top_k: int
) -> dict[str, Any]:
    return {
        "network": network,
        "game": position.game,
        "position": position.text,
        "side_to_move": position.side_to_move,
        "network_value": opinion.analysis.value,
        "search_value": choice.analysis.value,
        "algorithm": choice.analysis.algorithm,
        "nodes": choice.num_nodes,
        "moves": [
            {
                "move": entry.move,
                "prior": entry.prior,
                "visits": entry.visits,
                "value": entry.value,
                "centipawns": entry.score.centipawns,
                "mate_in": entry.score.mate_in,
                "wdl": [entry.wdl.win, entry.wdl.draw, entry.wdl.loss],
                "pv": list(entry.pv),
            }
            for entry in choice.candidates[:top_k]
        ],
    }


def _print_table(network: str, position: "Position", opinion: "Choice", choice: "Choice", top_k: int) -> None:
    from rich.table import Table

    from milton.cli.scores import score_words

    typer.echo(f"{position}\n{position.text}\n{network}, {position.side_to_move} to move")
    typer.echo(f"value {opinion.analysis.value:+.3f} by the network, {choice.analysis.value:+.3f} by search")
    outcome = position.outcome()
    if outcome is not None:
        typer.echo(f"the game is over: {outcome.result} ({outcome.reason})")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("move", "prior", "visits", "share", "value", "score"):
        table.add_column(heading, justify="left" if heading == "move" else "right")
    table.add_column("line", overflow="fold")
    for entry in choice.candidates[:top_k]:
        name = position.written(entry.move)
        table.add_row(
            name,
            f"{entry.prior:.1%}",
            f"{entry.visits:,}",
            f"{entry.visits / max(1, choice.analysis.visits):.1%}",
            f"{entry.value:+.3f}",
            score_words(entry.score),
            " ".join(entry.pv[:8]),
        )
    console().print(table)
    typer.echo(f"{choice.analysis.effort} in {choice.time_s:.3f} s ({choice.analysis.algorithm})")
