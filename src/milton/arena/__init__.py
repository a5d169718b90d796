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
from .pool import Crosstable, Meeting
from .ratings import Rating, RatingTable, fit_ratings
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

__all__ = [
    "Crosstable",
    "Curve",
    "CurvePoint",
    "EloEstimate",
    "MatchGame",
    "Meeting",
    "Opening",
    "PairCounts",
    "Player",
    "Rating",
    "RatingTable",
    "Results",
    "Score",
    "Sprt",
    "SprtState",
    "Verdict",
    "compare",
    "decide",
    "draw_curves",
    "elo_of_score",
    "estimate_elo",
    "fit_ratings",
    "likelihood_of_superiority",
    "make_openings",
    "may_stop",
    "network_player",
    "num_distinct",
    "pair_counts",
    "play_pairs",
    "playout_player",
    "score_of_elo",
    "uniform_player",
]
