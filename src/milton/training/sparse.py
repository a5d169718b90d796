"""Trains sparse networks: the core's kernel makes the gradients, PyTorch's AdamW applies them."""

import numpy as np
import torch
from numpy.typing import NDArray

from milton.config import TrainSettings
from milton.games import core_game
from milton.nets.sizes import SparseSizes
from milton.replay import WindowColumns

from .losses import Losses
from .schedule import TrainPlan
from .state import LearningState
from .steps import StepListener, measure_batches, take_steps

# Hold-out positions are measured in batches of this size.
_MEASURE_BATCH = 8192


class SparseLearner:
    """See Learner. Weights and gradients are numpy views of PyTorch's memory: nothing is copied."""

    def __init__(self, state: LearningState, train: TrainSettings, threads: int) -> None:
        self.state = state
        self._train = train
        # The optimiser's loops are short; more OpenMP threads only wait for each other on busy cores.
        torch.set_num_threads(1)
        sizes = state.description.sizes
        assert isinstance(sizes, SparseSizes)
        self._spec = state.description.spec
        num_features = self._spec.sparse_encoder(state.description.encoder).num_features
        self._kernel = core_game(self._spec.name).SparseTrainer(num_features, sizes.hidden, threads)
        self._weights: dict[str, NDArray[np.float32]] = {}
        self._gradients: dict[str, NDArray[np.float32]] = {}
        for name, parameter in state.net.named_parameters():
            parameter.grad = torch.zeros_like(parameter)
            self._weights[name] = parameter.detach().numpy()
            self._gradients[name] = parameter.grad.numpy()

    def train(self, columns: WindowColumns, plan: TrainPlan, on_step: StepListener | None = None) -> Losses:
        def differentiate(indices: NDArray[np.int64], random: np.random.Generator) -> Losses:
            symmetries = self._symmetries(len(indices), random)
            return self._run(columns, indices, symmetries, plan.value_blend, self._weights, self._gradients)

        return take_steps(self.state, columns, plan, self._train.batch_size, differentiate, on_step)

    def measure(self, columns: WindowColumns, indices: NDArray[np.int64], value_blend: float) -> Losses:
        """The losses of the weights that play."""
        weights = {name: tensor.numpy() for name, tensor in self.state.playing_weights().items()}

        def losses_of(part: NDArray[np.int64]) -> Losses:
            return self._run(columns, part, np.zeros(len(part), dtype=np.uint8), value_blend, weights, None)

        return measure_batches(indices, _MEASURE_BATCH, losses_of)

    def _symmetries(self, count: int, random: np.random.Generator) -> NDArray[np.uint8]:
        if not self._train.symmetry_augmentation:
            return np.zeros(count, dtype=np.uint8)
        return random.integers(0, self._spec.num_symmetries, count, dtype=np.uint8)

    def _run(
        self,
        columns: WindowColumns,
        indices: NDArray[np.int64],
        symmetries: NDArray[np.uint8],
        value_blend: float,
        weights: dict[str, NDArray[np.float32]],
        gradients: dict[str, NDArray[np.float32]] | None,
    ) -> Losses:
        figures = self._kernel.run(
            weights,
            gradients,
            packed=columns.packed,
            visit_offsets=columns.visit_offsets,
            visit_moves=columns.visit_moves,
            visit_counts=columns.visit_counts,
            root_wdl=columns.root_wdl,
            outcomes=columns.outcomes_stm,
            indices=indices,
            symmetries=symmetries,
            value_blend=value_blend,
            value_weight=self._train.value_loss_weight,
            policy_weight=self._train.policy_loss_weight,
        )
        return Losses.of(figures)
