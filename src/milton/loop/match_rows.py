"""What the stages that play matches share: players of the run's networks, results as rows. Plays nothing."""

import time
from pathlib import Path

from milton.arena import EloEstimate, Player, Rating, Score, network_player
from milton.rundir import RatingRecord

from .context import Context

# Games of an iteration that are kept as text for people; the shard has all of them.
KEPT_GAMES = 16


def stage_player(context: Context, checkpoint: Path, name: str) -> Player:
    """A network of the run with the arena's search budget."""
    return network_player(
        checkpoint,
        context.settings,
        name=name,
        simulations=context.settings.arena.simulations,
        threads=context.threads,
    )


def rating_row(
    iteration: int, kind: str, player: str, opponent: str, score: Score, elo: EloEstimate | Rating
) -> RatingRecord:
    """A result as a row of run.sqlite."""
    return RatingRecord(
        iteration,
        kind,
        player,
        opponent,
        score.wins,
        score.draws,
        score.losses,
        elo.elo,
        elo.low,
        elo.high,
        time.time(),
    )
