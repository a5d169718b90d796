"""The one way to train: a learner that keeps its state between stages."""

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import nn

from milton.config import Settings, TrainSettings
from milton.errors import ArgumentError
from milton.nets import NetDescription, Provenance, read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint, net_from_tensors, save_checkpoint
from milton.nets.growth import can_grow, grow_state, grow_weights
from milton.nets.training_state import load_training_state
from milton.replay import WindowColumns

from .dense import DenseLearner
from .losses import Losses
from .schedule import TrainPlan
from .sparse import SparseLearner
from .state import LearningState
from .steps import StepListener


class Learner(Protocol):
    state: LearningState

    def train(self, columns: WindowColumns, plan: TrainPlan, on_step: StepListener | None = None) -> Losses:
        """Takes the planned steps and returns their mean losses; TrainingError if one is not a number."""

    def measure(self, columns: WindowColumns, indices: NDArray[np.int64], value_blend: float) -> Losses:
        """Losses of the weights that play, without learning, for the hold-out."""


def learner_from_checkpoint(
    checkpoint: Path, settings: Settings, threads: int, *, grow_to: NetDescription | None = None
) -> Learner:
    """A learner that starts from a network, made wider where asked, with a fresh optimiser."""
    loaded = load_checkpoint(checkpoint)
    if grow_to is None or grow_to == loaded.description:
        return new_learner(loaded.description, loaded.net, settings, threads)
    weights = grow_weights(loaded.net.state_dict(), loaded.description, grow_to, settings.loop.seed)
    return new_learner(grow_to, net_from_tensors(grow_to, weights), settings, threads)


def new_learner(description: NetDescription, net: nn.Module, settings: Settings, threads: int) -> Learner:
    """A learner of a network in memory, which it takes over."""
    return _learner(LearningState(description, net, settings.train), settings.train, threads)


def learner_from_state(
    path: Path, settings: Settings, threads: int, *, grow_to: NetDescription | None = None
) -> Learner:
    """A learner that resumes exactly where a saved one stopped, with a wider network if asked."""
    stored = load_training_state(path)
    if grow_to is not None and grow_to != stored.description:
        stored = grow_state(stored, grow_to, settings.loop.seed)
    return _learner(LearningState.restore(stored, settings.train), settings.train, threads)


def save_candidate(learner: Learner, path: Path, provenance: Provenance) -> str:
    """Writes the weights that are to play; returns the SHA-256 of the file."""
    state = learner.state
    return save_checkpoint(path, state.description, state.playing_weights(), provenance, for_play=True)


def check_compatible(checkpoint: Path, description: NetDescription) -> bool:
    """Refuses to resume with a network of another game or shape than the settings ask for.

    True if the network has to grow first: a sparse one may become wider, nothing becomes narrower.
    """
    found = read_checkpoint_info(checkpoint).description
    if found == description:
        return False
    if not can_grow(found, description):
        raise ArgumentError(f"{checkpoint}: expected {description}, got {found}")
    return True


def _learner(state: LearningState, train: TrainSettings, threads: int) -> Learner:
    return (SparseLearner if state.description.is_sparse else DenseLearner)(state, train, threads)
