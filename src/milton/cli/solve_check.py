"""`milton solve-check`: a Connect Four network beside perfect play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.cli.output import AsJson, print_json

if TYPE_CHECKING:
    from milton.arena import Score
    from milton.rating.perfect import OptimalShare


def register(app: typer.Typer) -> None:
    app.command("solve-check")(solve_check)


def solve_check(
    checkpoint: Annotated[
        Path | None, typer.Option(help="Network, or run folder; default: the shipped champion.")
    ] = None,
    positions: Annotated[int, typer.Option(min=1, help="Number of positions, from balanced play.")] = 1000,
    games: Annotated[int, typer.Option(min=0, help="Games from won openings.")] = 50,
    simulations: Annotated[int, typer.Option(min=1, help="Simulations per move.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Seed of positions and openings.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Count how often a Connect Four network plays a move of perfect play.

    Needs the package bitbully, a perfect player: pip install bitbully

    Example: milton solve-check --checkpoint runs/connect_four --positions 10000
    """
    from milton.games import Position
    from milton.play import Engine, Limits
    from milton.rating.perfect import (
        SOLVED_GAME,
        BitBullySolver,
        balanced_positions,
        measure_optimal,
        play_won_openings,
    )

    solver = BitBullySolver()
    limits = Limits(simulations=simulations, fresh=True)
    with Engine.open(checkpoint, SOLVED_GAME) as engine:

        def choose(position: Position) -> str:
            move = engine.choose(position, limits).move
            assert move is not None  # the game is not over
            return move

        solved = list(balanced_positions(solver, positions, seed=seed))
        share = measure_optimal(solved, choose)
        score = play_won_openings(solver, choose, games, seed=seed)
        name = engine.network.name
    if as_json:
        print_json({"network": name, "simulations": simulations} | _figures(share, score))
        return
    typer.echo(
        f"{name}, {simulations} simulations a move, {share.num_positions:,} positions of balanced play:"
    )
    typer.echo(f"  {share.kept:.1%} of its moves keep the result of perfect play")
    typer.echo(f"  {share.matter_kept:.1%} in the {share.num_matter:,} positions where a move can lose it")
    typer.echo(f"  {share.quickest:.1%} also win as soon, or lose as late, as possible")
    if games:
        typer.echo(f"  from {games} openings that can be won, against perfect play: {score}")


def _figures(share: "OptimalShare", score: "Score") -> dict[str, object]:
    return {
        "positions": share.num_positions,
        "keeps_result": share.kept,
        "quickest": share.quickest,
        "positions_that_matter": share.num_matter,
        "keeps_result_where_it_matters": share.matter_kept,
        "won_openings": {"wins": score.wins, "draws": score.draws, "losses": score.losses},
    }
