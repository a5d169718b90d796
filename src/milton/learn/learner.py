"""The one way to train: a learner that keeps its state between stages."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import nn

from milton.config import Settings, TrainSettings
from milton.errors import ArgumentError
from milton.nets import NetDescription, Provenance, read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint, save_checkpoint
from milton.replay import WindowColumns

from .dense import DenseLearner
from .losses import Losses
from .schedule import TrainPlan
from .sparse import SparseLearner
from .state import LearningState


class Learner(Protocol):
    state: LearningState

    def train(
        self, columns: WindowColumns, plan: TrainPlan, on_step: Callable[[int, Losses], None] | None = None
    ) -> Losses:
        """Takes the planned steps and returns their mean losses; TrainingError if one is not a number."""

    def measure(self, columns: WindowColumns, indices: NDArray[np.int64], value_blend: float) -> Losses:
        """Losses without learning, for the hold-out."""


def learner_from_checkpoint(checkpoint: Path, settings: Settings, threads: int) -> Learner:
    """A learner that starts from a network, with a fresh optimiser."""
    loaded = load_checkpoint(checkpoint)
    return new_learner(loaded.description, loaded.net, settings, threads)


def new_learner(description: NetDescription, net: nn.Module, settings: Settings, threads: int) -> Learner:
    """A learner of a network in memory, which it takes over."""
    return _learner(LearningState(description, net, settings.train), settings.train, threads)


def learner_from_state(path: Path, settings: Settings, threads: int) -> Learner:
    """A learner that goes on exactly where a saved one stopped."""
    return _learner(LearningState.restore(path, settings.train), settings.train, threads)


def save_candidate(learner: Learner, path: Path, provenance: Provenance) -> str:
    """Writes the weights that are to play; returns the SHA-256 of the file."""
    state = learner.state
    return save_checkpoint(path, state.description, state.playing_weights(), provenance, for_play=True)


def check_compatible(checkpoint: Path, description: NetDescription) -> None:
    """Refuses to go on with a network of another game or shape than the settings ask for."""
    found = read_checkpoint_info(checkpoint).description
    if found != description:
        raise ArgumentError(f"{checkpoint}: expected {description}, got {found}")


def _learner(state: LearningState, train: TrainSettings, threads: int) -> Learner:
    if state.description.family == "attack":
        raise ArgumentError(
            "the attack network has no policy and cannot learn in the loop; see `milton teach`"
        )
    return (SparseLearner if state.description.is_sparse else DenseLearner)(state, train, threads)
