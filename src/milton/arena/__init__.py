"""Plays matches between two players and judges them. Knows no training."""

from .curve import Curve, CurvePoint, draw_curves
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
    "Meeting",
    "PairCounts",
    "Rating",
    "RatingTable",
    "Results",
    "Score",
    "Sprt",
    "SprtState",
    "Verdict",
    "decide",
    "draw_curves",
    "elo_of_score",
    "estimate_elo",
    "fit_ratings",
    "likelihood_of_superiority",
    "may_stop",
    "score_of_elo",
]
