"""Plays matches between two players and judges them. Knows no training."""

from .compare import compare
from .curve import Curve, CurvePoint, draw_curves
from .match import (
    MatchGame,
    Opening,
    Player,
    make_openings,
    network_player,
    num_distinct,
    pair_counts,
    play_pairs,
    playout_player,
    uniform_player,
)
from .players import BASELINES, named_player, player_checkpoint, player_game
from .pool import Crosstable, Meeting
from .ranking import draw_ranking
from .ratings import Rating, RatingTable, fit_ratings
from .record import recorded_match, write_match
from .results import PairCounts, Results, Score
from .sprt import Sprt, SprtState
from .statistics import (
    EloEstimate,
    elo_of_score,
    estimate_elo,
    likelihood_of_superiority,
    score_of_elo,
)
from .verdict import Verdict, decide, may_stop
from .workforce import LocalWorkforce, Notice, PairPlayer, WorkerFigures, WorkerState, Workforce

__all__ = [
    "BASELINES",
    "Crosstable",
    "Curve",
    "CurvePoint",
    "EloEstimate",
    "LocalWorkforce",
    "MatchGame",
    "Meeting",
    "Notice",
    "Opening",
    "PairCounts",
    "PairPlayer",
    "Player",
    "Rating",
    "RatingTable",
    "Results",
    "Score",
    "Sprt",
    "SprtState",
    "Verdict",
    "WorkerFigures",
    "WorkerState",
    "Workforce",
    "compare",
    "decide",
    "draw_curves",
    "draw_ranking",
    "elo_of_score",
    "estimate_elo",
    "fit_ratings",
    "likelihood_of_superiority",
    "make_openings",
    "may_stop",
    "named_player",
    "network_player",
    "num_distinct",
    "pair_counts",
    "play_pairs",
    "player_checkpoint",
    "player_game",
    "playout_player",
    "recorded_match",
    "score_of_elo",
    "uniform_player",
    "write_match",
]
