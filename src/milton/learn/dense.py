"""Trains dense networks (towers, MLPs, attack maps) in PyTorch on planes and action distributions."""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from milton.config import TrainSettings
from milton.games import core_game
from milton.inference.leaves import sides_to_move
from milton.inference.pytorch import best_device
from milton.nets.inputs import encode_legal, encode_planes
from milton.replay import NO_MOVE, PROBABILITY_SCALE, Sampler, Samples, WindowColumns, gather

from .losses import Losses, mean_losses
from .schedule import TrainPlan
from .state import LearningState

_MEASURE_BATCH = 512


class DenseLearner:
    """See Learner. Illegal actions are masked out before the softmax."""

    def __init__(self, state: LearningState, train: TrainSettings, threads: int) -> None:
        self.state = state
        self._train = train
        self._spec = state.description.spec
        self._core = core_game(self._spec.name)
        self._device = torch.device(best_device() if train.device == "auto" else train.device)
        torch.set_num_threads(threads)
        state.net.to(self._device)

    def train(
        self, columns: WindowColumns, plan: TrainPlan, on_step: Callable[[int, Losses], None] | None = None
    ) -> Losses:
        sampler = Sampler(columns)
        random = np.random.default_rng(plan.seed)
        parts: list[Losses] = []
        self.state.net.train()
        for step in range(plan.num_steps):
            indices = sampler.draw(self._train.batch_size, int(random.integers(2**63)))
            batch = gather(columns, indices)
            self.state.optimiser.zero_grad(set_to_none=True)
            loss, losses = self._losses(batch, self._symmetry(random), plan.value_blend)
            losses.check_finite(step)
            loss.backward()  # type: ignore[no-untyped-call]
            self.state.step(plan.learning_rate)
            parts.append(losses)
            if on_step is not None:
                on_step(step + 1, losses)
        self.state.net.eval()
        self.state.check_finite()
        return mean_losses(parts)

    def measure(self, columns: WindowColumns, indices: NDArray[np.int64], value_blend: float) -> Losses:
        """The losses of the current weights."""
        self.state.net.eval()
        parts = []
        with torch.no_grad():
            for start in range(0, len(indices), _MEASURE_BATCH):
                batch = gather(columns, indices[start : start + _MEASURE_BATCH])
                parts.append(self._losses(batch, 0, value_blend)[1])
        return mean_losses(parts)

    def _symmetry(self, random: np.random.Generator) -> int:
        """One symmetry a batch: planes, legal moves and targets move together."""
        if not self._train.symmetry_augmentation:
            return 0
        return int(random.integers(0, self._spec.num_symmetries))

    def _losses(self, batch: Samples, symmetry: int, value_blend: float) -> tuple[Tensor, Losses]:
        packed, policy_target = self._policy_target(batch, symmetry)
        wdl_target = _wdl_target(batch, value_blend)
        planes = encode_planes(self._spec, self.state.description.encoder, packed)
        actions, _ = encode_legal(self._spec, packed)
        logits, value_out = self._forward(planes, packed)
        legal = torch.from_numpy(_legal_mask(actions, self._spec.num_actions)).to(self._device)
        log_policy = torch.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)
        target = torch.from_numpy(policy_target).to(self._device)
        wdl = torch.from_numpy(wdl_target).to(self._device)

        has_target = target.sum(dim=1) > 0
        policy_losses = -(target * log_policy).sum(dim=1)
        value_losses, predicted = _value_losses(value_out, wdl)
        # Positions without a target count as zero, as in the sparse kernel.
        loss = (
            self._train.value_loss_weight * value_losses.mean()
            + self._train.policy_loss_weight * policy_losses.mean()
        )
        wanted = wdl[:, 0] - wdl[:, 2]
        num_policies = max(1.0, float(has_target.sum()))
        with torch.no_grad():
            entropy = -(log_policy.exp() * log_policy.clamp(min=-50.0)).sum(dim=1)
            target_entropy = -(target * target.clamp(min=1e-9).log()).sum(dim=1)
            agreed = (log_policy.argmax(dim=1) == target.argmax(dim=1)) & has_target
            losses = Losses(
                value_loss=float(value_losses.mean()),
                policy_loss=float(policy_losses.sum()) / num_policies,
                target_entropy=float(target_entropy.sum()) / num_policies,
                policy_entropy=float((entropy * has_target).sum()) / num_policies,
                policy_agreement=float(agreed.sum()) / num_policies,
                value_bias=float((predicted - wanted).mean()),
                value_error=float(((predicted - wanted) ** 2).mean()),
                num_values=float(len(wdl)),
                num_policies=float(has_target.sum()),
            )
        return loss, losses

    def _forward(self, planes: NDArray[np.float32], packed: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
        """Policy logits and value, seen by the side to move. Without a policy all moves are alike."""
        outputs = self.state.net(torch.from_numpy(planes).to(self._device))
        if isinstance(outputs, tuple):
            return outputs
        value_first: Tensor = outputs
        sides = torch.from_numpy(sides_to_move(self._spec.name, packed)).to(self._device)
        return torch.zeros(len(packed), self._spec.num_actions, device=self._device), value_first * sides

    def _policy_target(self, batch: Samples, symmetry: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The positions in a symmetry, and [B, actions] visit shares that moved with them."""
        num_actions = self._spec.num_actions
        actions = np.full(batch.visit_moves.shape, -1, dtype=np.int32)
        if batch.visit_moves.shape[1]:
            self._core.moves_to_actions(batch.packed, batch.visit_moves, actions)
        target = np.zeros((len(batch.packed), num_actions), dtype=np.float32)
        rows, slots = np.nonzero(batch.visit_moves != NO_MOVE)
        target[rows, actions[rows, slots]] = batch.visit_counts[rows, slots]
        target /= np.maximum(target.sum(axis=1, keepdims=True), 1.0)
        if symmetry == 0:
            return batch.packed, target
        packed = np.empty_like(batch.packed)
        self._core.transform_packed(batch.packed, np.full(len(packed), symmetry, np.uint8), packed)
        moved = np.zeros_like(target)
        moved[:, self._core.transform_actions(symmetry)] = target
        return packed, moved


def _legal_mask(actions: NDArray[np.int32], num_actions: int) -> NDArray[np.bool_]:
    mask = np.zeros((len(actions), num_actions), dtype=bool)
    rows, slots = np.nonzero(actions >= 0)
    mask[rows, actions[rows, slots]] = True
    return mask


def _wdl_target(batch: Samples, value_blend: float) -> NDArray[np.float32]:
    root = np.zeros((len(batch.packed), 3), dtype=np.float32)
    root[:, :2] = batch.root_wdl / PROBABILITY_SCALE
    root[:, 2] = np.maximum(0.0, 1.0 - root[:, 0] - root[:, 1])
    outcome = np.eye(3, dtype=np.float32)[batch.outcomes_stm]
    target: NDArray[np.float32] = value_blend * root + (1.0 - value_blend) * outcome
    return target


def _value_losses(value_out: Tensor, wdl: Tensor) -> tuple[Tensor, Tensor]:
    """Loss of each position and its predicted value; cross-entropy for three logits, else squared error."""
    if value_out.ndim == 2:
        log_p = torch.log_softmax(value_out, dim=1)
        p = log_p.exp()
        return -(wdl * log_p).sum(dim=1), p[:, 0] - p[:, 2]
    return (value_out - (wdl[:, 0] - wdl[:, 2])) ** 2, value_out
