"""Weights, their moving average and the optimiser: what a learner carries from stage to stage."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

from milton.config import TrainSettings
from milton.errors import TrainingError
from milton.nets import NetDescription
from milton.nets.checkpoint import net_from_tensors
from milton.nets.training_state import (
    TrainingState,
    optimiser_moments,
    restore_moments,
    save_training_state,
)

from .adamw import AdamW


class LearningState:
    """Owned by one learner; saved whole, restored exactly."""

    def __init__(self, description: NetDescription, net: nn.Module, train: TrainSettings) -> None:
        self.description = description
        self.net = net
        self.num_steps = 0
        self.fresh_starts = 0  # fresh starts of the run before this network; the loop counts
        self.ema_decay = train.ema_decay
        self.gradient_clip = train.gradient_clip
        self.optimiser = AdamW(net.parameters(), weight_decay=train.weight_decay)
        self.average: dict[str, Tensor] = {}
        if self.ema_decay > 0.0:
            self.average = {name: tensor.detach().clone() for name, tensor in net.state_dict().items()}

    @classmethod
    def restore(cls, stored: TrainingState, train: TrainSettings) -> "LearningState":
        state = cls(stored.description, net_from_tensors(stored.description, stored.model), train)
        restore_moments(state.optimiser, state.net, stored.optimiser)
        state.num_steps = int(stored.numbers.get("steps", 0))
        state.fresh_starts = int(stored.numbers.get("fresh_starts", 0))
        if state.average and stored.average:
            state.average = stored.average
        return state

    def save(self, path: Path) -> str:
        return save_training_state(
            path,
            TrainingState(
                description=self.description,
                model=dict(self.net.state_dict()),
                average=self.average,
                optimiser=optimiser_moments(self.optimiser, self.net),
                numbers={"steps": self.num_steps, "fresh_starts": self.fresh_starts},
            ),
        )

    def step(self, learning_rate: float) -> None:
        """Applies the parameters' gradients and updates the average."""
        if self.gradient_clip > 0.0:
            norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.gradient_clip)
            if not bool(torch.isfinite(norm)):
                raise TrainingError(
                    f"the gradient is not a number at step {self.num_steps}; lower train.learning_rate"
                )
        self.optimiser.step(learning_rate)
        self.num_steps += 1
        if self.average:
            # Young averages follow quickly, so that the random start is soon forgotten.
            decay = min(self.ema_decay, (1.0 + self.num_steps) / (10.0 + self.num_steps))
            self._move_average(1.0 - decay)

    @torch.no_grad()
    def _move_average(self, share: float) -> None:
        current = self.net.state_dict()
        floats = [name for name, tensor in current.items() if tensor.is_floating_point()]
        torch._foreach_lerp_(
            [self.average[name] for name in floats], [current[name].cpu() for name in floats], share
        )
        for name in current.keys() - set(floats):
            self.average[name].copy_(current[name])

    def check_finite(self) -> None:
        """Activations hide some weights that are no numbers, so that no loss shows them."""
        for name, tensor in self.net.state_dict().items():
            if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
                raise TrainingError(
                    f"tensor {name} is not a number after step {self.num_steps}; lower train.learning_rate"
                )

    def playing_weights(self) -> dict[str, Tensor]:
        """What plays: the average where one is kept."""
        return self.average or {name: tensor.detach() for name, tensor in self.net.state_dict().items()}

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Inside, the network has the weights that play; afterwards its own again, to the bit."""
        own = {name: tensor.clone() for name, tensor in self.net.state_dict().items()}
        try:
            self.net.load_state_dict(self.playing_weights())
            yield
        finally:
            self.net.load_state_dict(own)
