"""Window -> candidate. Knows no games in progress, no arena and no run folder."""

from .labels import can_label, has_labels, label_columns, label_shard
from .learner import (
    Learner,
    check_compatible,
    learner_from_checkpoint,
    learner_from_state,
    new_learner,
    save_candidate,
)
from .losses import Losses, mean_losses
from .schedule import TrainPlan, fresh_plan, learning_rate, make_plan, value_blend
from .standalone import Trained, find_shards, shard_game, train_on_shards

__all__ = [
    "Learner",
    "Losses",
    "TrainPlan",
    "Trained",
    "can_label",
    "check_compatible",
    "find_shards",
    "fresh_plan",
    "has_labels",
    "label_columns",
    "label_shard",
    "learner_from_checkpoint",
    "learner_from_state",
    "learning_rate",
    "make_plan",
    "mean_losses",
    "new_learner",
    "save_candidate",
    "shard_game",
    "train_on_shards",
    "value_blend",
]
