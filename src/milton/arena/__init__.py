"""Plays matches between two players and judges them. Knows no training."""

from .compare import compare
from .curve import Curve, CurvePoint, draw_curves
from .engine_match import play_engine_pairs
from .match import (
    MatchGame,
    MatchPlan,
    Opening,
    Player,
    network_player,
    num_distinct,
    pair_counts,
    play_pairs,
    playout_player,
    uniform_player,
)
from .openings import (
    BALANCED_PLIES,
    OpeningJudge,
    balanced_openings,
    describe_openings,
    is_balanced,
    make_openings,
    random_openings,
    shipped_judge,
)
from .pair_player import PORTION_PAIRS, LocalPairs, MatchWatcher, PairPlayer, PairWorkers
from .players import BASELINES, named_player, player_checkpoint, player_game, player_name
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
    interval_over,
    likelihood_of_superiority,
    score_of_elo,
)
from .verdict import Verdict, decide, may_stop

__all__ = [
    "BALANCED_PLIES",
    "BASELINES",
    "PORTION_PAIRS",
    "Crosstable",
    "Curve",
    "CurvePoint",
    "EloEstimate",
    "LocalPairs",
    "MatchGame",
    "MatchPlan",
    "MatchWatcher",
    "Meeting",
    "Opening",
    "OpeningJudge",
    "PairCounts",
    "PairPlayer",
    "PairWorkers",
    "Player",
    "Rating",
    "RatingTable",
    "Results",
    "Score",
    "Sprt",
    "SprtState",
    "Verdict",
    "balanced_openings",
    "compare",
    "decide",
    "describe_openings",
    "draw_curves",
    "draw_ranking",
    "elo_of_score",
    "estimate_elo",
    "fit_ratings",
    "interval_over",
    "is_balanced",
    "likelihood_of_superiority",
    "make_openings",
    "may_stop",
    "named_player",
    "network_player",
    "num_distinct",
    "pair_counts",
    "play_engine_pairs",
    "play_pairs",
    "player_checkpoint",
    "player_game",
    "player_name",
    "playout_player",
    "random_openings",
    "recorded_match",
    "score_of_elo",
    "shipped_judge",
    "uniform_player",
    "write_match",
]
