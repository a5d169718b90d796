"""Window -> candidate. Knows no games in progress, no arena and no run folder."""

from .alone import Trained, find_shards, shard_game, train_alone
from .learner import Learner, check_compatible, learner_from_checkpoint, learner_from_state, save_candidate
from .losses import Losses, mean_losses
from .schedule import TrainPlan, learning_rate, make_plan, value_blend

__all__ = [
    "Learner",
    "Losses",
    "TrainPlan",
    "Trained",
    "check_compatible",
    "find_shards",
    "learner_from_checkpoint",
    "learner_from_state",
    "learning_rate",
    "make_plan",
    "mean_losses",
    "save_candidate",
    "shard_game",
    "train_alone",
    "value_blend",
]
