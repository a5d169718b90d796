"""What learners of every family share: draw a batch, ask for its gradients, step, again."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from milton.replay import Sampler, WindowColumns

from .losses import Losses, mean_losses
from .schedule import TrainPlan
from .state import LearningState

StepListener = Callable[[int, Losses], None]  # step number from 1, losses of its batch


def take_steps(
    state: LearningState,
    columns: WindowColumns,
    plan: TrainPlan,
    batch_size: int,
    differentiate: Callable[[NDArray[np.int64], np.random.Generator], Losses],
    on_step: StepListener | None = None,
) -> Losses:
    """The planned steps and their mean losses; TrainingError if something is not a number.

    `differentiate` leaves the gradients of the positions it is given in the parameters; what it draws from
    the generator depends on the plan's seed alone, so that a stage can be repeated.
    """
    sampler = Sampler(columns)
    random = np.random.default_rng(plan.seed)
    parts: list[Losses] = []
    for step in range(plan.num_steps):
        indices = sampler.draw(batch_size, int(random.integers(2**63)))
        losses = differentiate(indices, random)
        losses.check_finite(step)
        state.step(plan.rate_at(step))
        parts.append(losses)
        if on_step is not None:
            on_step(step + 1, losses)
    state.check_finite()
    return mean_losses(parts)


def measure_batches(
    indices: NDArray[np.int64], batch_size: int, losses_of: Callable[[NDArray[np.int64]], Losses]
) -> Losses:
    """Mean losses over many positions, a batch at a time."""
    starts = range(0, len(indices), batch_size)
    return mean_losses(losses_of(indices[start : start + batch_size]) for start in starts)
