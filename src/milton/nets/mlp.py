"""The mlp family: two dense layers over the flattened planes, for the methods of the lab.

On chess the trunk (768 → 128 → 128) has 114,944 parameters and the head of 4,672 moves 602,688 more, so the
network cannot stay under 100,000; on Santorini and Connect Four it does.
"""

import math

import torch
from torch import Tensor, nn

from milton.games import GameSpec
from milton.nets.sizes import MlpSizes


class MlpNet(nn.Module):
    def __init__(self, spec: GameSpec, encoder: str, sizes: MlpSizes) -> None:
        super().__init__()
        self.layer1 = nn.Linear(math.prod(spec.plane_shape(encoder)), sizes.hidden)
        self.layer2 = nn.Linear(sizes.hidden, sizes.hidden)
        self.policy = nn.Linear(sizes.hidden, spec.num_actions)
        self.value = nn.Linear(sizes.hidden, 1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [B, actions], legal or not, and the value [B] seen by the side to move."""
        hidden = torch.relu(self.layer2(torch.relu(self.layer1(planes.flatten(1)))))
        return self.policy(hidden), torch.tanh(self.value(hidden)).squeeze(1)


class MlpFamily:
    name = "mlp"

    def build(self, spec: GameSpec, encoder: str, sizes: MlpSizes) -> nn.Module:
        return MlpNet(spec, encoder, sizes)


FAMILY = MlpFamily()
