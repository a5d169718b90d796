"""Trains dense networks (towers, MLPs, attack maps) in PyTorch on planes and action distributions."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from milton.config import TrainSettings
from milton.games import core_game
from milton.inference.leaves import sides_to_move
from milton.inference.pytorch import best_device
from milton.nets.inputs import encode_legal, encode_planes
from milton.replay import NO_MOVE, PROBABILITY_SCALE, Samples, WindowColumns, gather

from .losses import Losses
from .schedule import TrainPlan
from .state import LearningState
from .steps import StepListener, measure_batches, take_steps

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

    def train(self, columns: WindowColumns, plan: TrainPlan, on_step: StepListener | None = None) -> Losses:
        def differentiate(indices: NDArray[np.int64], random: np.random.Generator) -> Losses:
            self.state.optimiser.zero_grad()
            symmetry = self._symmetry(random)
            loss, losses = self._losses(gather(columns, indices), symmetry, plan.value_blend)
            loss.backward()  # type: ignore[no-untyped-call]
            return losses

        self.state.net.train()
        losses = take_steps(self.state, columns, plan, self._train.batch_size, differentiate, on_step)
        self.state.net.eval()
        return losses

    def measure(self, columns: WindowColumns, indices: NDArray[np.int64], value_blend: float) -> Losses:
        """The losses of the weights that play."""
        self.state.net.eval()
        with self.state.playing(), torch.no_grad():
            return measure_batches(
                indices,
                _MEASURE_BATCH,
                lambda part: self._losses(gather(columns, part), 0, value_blend)[1],
            )

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
        """Policy logits and value, seen by the side to move. Without a policy all moves are equal."""
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
