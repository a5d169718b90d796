"""The sparse family: a few active features select rows of one wide layer; the policy covers legal moves only.

This is the PyTorch form, for training and as the reference for the core's evaluator: in evaluation mode it
rounds where the core does. Tensor names and the core's number grid live in sparse_grid.
"""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from milton.games import GameSpec
from milton.nets.sizes import SparseSizes
from milton.nets.sparse_grid import HIDDEN_SCALE, NUM_OUTCOMES, VALUE_HIDDEN, context_width

# With `max_active` rows summed this spreads the hidden units over the clipped range from the start.
INITIAL_SPREAD = 0.5
INITIAL_BIAS = 0.25


def squared_clipped_relu(x: Tensor) -> Tensor:
    return x.clamp(0.0, 1.0).square()


class RowTable(nn.Module):
    """A weight row and, for a table of outputs, a bias for each index."""

    def __init__(self, num_rows: int, width: int, bias_size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(num_rows, width))
        self.bias = nn.Parameter(torch.zeros(bias_size))


class SparseNet(nn.Module):
    def __init__(self, spec: GameSpec, encoder: str, sizes: SparseSizes) -> None:
        super().__init__()
        view = spec.sparse_encoder(encoder)
        self.features = RowTable(view.num_features, sizes.hidden, bias_size=sizes.hidden)
        self.value1 = nn.Linear(sizes.hidden, VALUE_HIDDEN)
        self.value2 = nn.Linear(VALUE_HIDDEN, NUM_OUTCOMES)
        # Zero policy weights: the untrained network prefers no move.
        self.policy = RowTable(spec.num_policy_parts, sizes.hidden, bias_size=spec.num_policy_parts)
        self.contexts: RowTable | None = None
        if view.num_contexts:
            self.contexts = RowTable(view.num_contexts, context_width(sizes.hidden), view.num_contexts)
        # Without memory there is nothing to draw, and asking would import PyTorch's compiler (seconds).
        if not self.features.weight.is_meta:
            nn.init.normal_(self.features.weight, std=INITIAL_SPREAD / view.max_active**0.5)
        nn.init.constant_(self.features.bias, INITIAL_BIAS)

    def forward(
        self, features: Tensor, parts: Tensor, contexts: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Win/draw/loss logits [B, 3] seen by the side to move, and policy logits [B, L].

        features: integers [B, K] padded with -1; parts: integers [B, L, 2], the policy rows whose sum belongs
        to each legal move, padded with -1; contexts: integers [B, L, C], padded with -1, for a network that
        reads them. Padded moves get the logit -inf.
        """
        hidden = squared_clipped_relu(self._sum_of_rows(features) + self.features.bias)
        if not self.training:
            hidden = torch.floor(hidden * HIDDEN_SCALE + 0.5) / HIDDEN_SCALE
        wdl_logits = self.value2(squared_clipped_relu(self.value1(hidden)))
        # All parts at once: one matrix product is far cheaper than gathering two rows for every move.
        part_logits = F.linear(hidden, self.policy.weight, self.policy.bias)  # [B, P]
        logits = self._sums_of_moves(part_logits, parts)
        if self.contexts is not None:
            assert contexts is not None, "this network reads contexts of moves"
            heard = hidden[:, : self.contexts.weight.shape[1]]
            context_logits = F.linear(heard, self.contexts.weight, self.contexts.bias)
            logits = logits + self._sums_of_moves(context_logits, contexts)
        return wdl_logits, logits.masked_fill(parts[:, :, 0] < 0, float("-inf"))

    @staticmethod
    def _sums_of_moves(logits: Tensor, indices: Tensor) -> Tensor:
        """[B, L] for each move the sum of its logits out of [B, N], named by integers [B, L, K]."""
        num_moves, num_each = indices.shape[1], indices.shape[2]
        flat = indices.clamp(min=0).flatten(1).long()
        return logits.gather(1, flat).view(-1, num_moves, num_each).sum(2)

    def _sum_of_rows(self, features: Tensor) -> Tensor:
        present = (features >= 0).to(self.features.weight.dtype)  # [B, K]
        indices = features.clamp(min=0)
        if torch.onnx.is_in_onnx_export():  # ONNX has no embedding bag
            rows = F.embedding(indices, self.features.weight)
            return (rows * present.unsqueeze(2)).sum(1)
        return F.embedding_bag(indices, self.features.weight, mode="sum", per_sample_weights=present)


class SparseFamily:
    name = "sparse"

    def build(self, spec: GameSpec, encoder: str, sizes: SparseSizes) -> nn.Module:
        return SparseNet(spec, encoder, sizes)


FAMILY = SparseFamily()
