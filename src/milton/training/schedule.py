"""How much, how fast and towards what is learnt, from what has been played so far. Knows no network."""

import math
from dataclasses import dataclass

from milton.config import TrainSettings

# Share of a fresh start's steps that are large (docs/experiments.md, "Beginning again").
FRESH_HELD = 0.3


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """One stage of training, fixed before it starts so that it can be repeated exactly."""

    num_steps: int
    learning_rate: float
    value_blend: float  # share of the search's value in the value target
    seed: int
    uses_per_position: float  # how often a new position is used on average, for the reuse alarm
    held: float = 1.0  # share of the steps before the rate starts to fall; it ends at zero

    def rate_at(self, step: int) -> float:
        """The learning rate of a step; the first one is 0."""
        if self.held >= 1.0:
            return self.learning_rate
        left = 1.0 - (step + 0.5) / self.num_steps
        return self.learning_rate * min(1.0, left / (1.0 - self.held))


def make_plan(
    train: TrainSettings, *, num_new: int, num_window: int, num_ever: int, seed: int, rate_factor: float
) -> TrainPlan:
    """`num_new` positions came in since the last stage; the window holds `num_window` to train on."""
    num_steps = _num_steps(train, num_new, num_window)
    uses = num_steps * train.batch_size / max(1, num_new)
    return TrainPlan(
        num_steps=num_steps,
        learning_rate=learning_rate(train, num_ever) * rate_factor,
        value_blend=value_blend(train, num_ever),
        seed=seed,
        uses_per_position=uses,
    )


def fresh_plan(
    train: TrainSettings, *, num_window: int, num_ever: int, seed: int, rate_factor: float
) -> TrainPlan:
    """For a fresh start on existing games: the learning rate is held, then falls to zero."""
    return TrainPlan(
        num_steps=max(1, math.ceil(train.fresh_passes * num_window / train.batch_size)),
        learning_rate=train.learning_rate * rate_factor,
        value_blend=value_blend(train, num_ever),
        seed=seed,
        uses_per_position=train.fresh_passes,
        held=FRESH_HELD,
    )


def _num_steps(train: TrainSettings, num_new: int, num_window: int) -> int:
    if train.steps_per_iter:
        return train.steps_per_iter
    if train.epochs_per_iter:
        return max(1, math.ceil(train.epochs_per_iter * num_window / train.batch_size))
    return max(1, round(train.uses_per_position * num_new / train.batch_size))


def learning_rate(train: TrainSettings, num_ever: int) -> float:
    """The learning rate after this many self-play positions: held, then decayed to its final value."""
    if train.learning_rate_schedule == "constant":
        return train.learning_rate
    past = num_ever - train.learning_rate_hold_positions
    progress = min(1.0, max(0.0, past / train.learning_rate_decay_positions))
    if train.learning_rate_schedule == "cosine":
        progress = (1.0 - math.cos(math.pi * progress)) / 2.0
    return train.learning_rate + (train.learning_rate_final - train.learning_rate) * progress


def value_blend(train: TrainSettings, num_ever: int) -> float:
    """Share of the search's own value in the target; it is worth little before the network knows much."""
    if train.value_target == "terminal":
        return 0.0
    if train.value_target == "mcts":
        return 1.0
    if train.value_blend_positions == 0:
        return train.value_blend_final
    return train.value_blend_final * min(1.0, num_ever / train.value_blend_positions)
