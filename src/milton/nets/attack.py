"""The attack family: a small value network over attack-map planes, for the supervised bot. It has no policy.

One block of type 1 and two of type 2 with as many filters as there are planes. The squeeze-excite sees the
whole board, not averages: which squares are attacked matters more here than how many.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from milton.games import GameSpec
from milton.nets.sizes import AttackSizes

Activation = Callable[[Tensor], Tensor]


class FlatSqueezeExcite(nn.Module):
    """Flattens the board, squeezes it, and multiplies each plane by a learned scale."""

    def __init__(
        self, num_planes: int, num_cells: int, squeezed: int, activation: Activation, *, normalise: bool
    ) -> None:
        super().__init__()
        self.activation = activation
        self.squeeze = nn.Linear(num_planes * num_cells, squeezed)
        self.excite = nn.Linear(squeezed, num_planes)
        self.squeeze_norm = nn.BatchNorm1d(squeezed) if normalise else nn.Identity()
        self.excite_norm = nn.BatchNorm1d(num_planes) if normalise else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        squeezed = self.squeeze_norm(self.activation(self.squeeze(x.flatten(1))))
        scale = self.excite_norm(self.activation(self.excite(squeezed)))
        scaled: Tensor = x * scale[:, :, None, None]
        return scaled


class InputBlock(nn.Module):
    """Type 1: no convolution, tanh throughout."""

    def __init__(self, num_planes: int, num_cells: int, squeezed: int) -> None:
        super().__init__()
        self.norm_in = nn.BatchNorm2d(num_planes)
        self.scale = FlatSqueezeExcite(num_planes, num_cells, squeezed, torch.tanh, normalise=False)
        self.norm_out = nn.BatchNorm2d(num_planes)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.norm_out(torch.tanh(x + self.scale(self.norm_in(x))))
        return out


class ConvBlock(nn.Module):
    """Type 2: a 3×3 convolution, ReLU throughout."""

    def __init__(self, num_planes: int, num_cells: int, squeezed: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(num_planes, num_planes, 3, padding=1)
        self.norm_in = nn.BatchNorm2d(num_planes)
        self.scale = FlatSqueezeExcite(num_planes, num_cells, squeezed, torch.relu, normalise=True)
        self.norm_out = nn.BatchNorm2d(num_planes)

    def forward(self, x: Tensor) -> Tensor:
        scaled = self.scale(self.norm_in(torch.relu(self.conv(x))))
        out: Tensor = self.norm_out(torch.relu(x + scaled))
        return out


class AttackNet(nn.Module):
    def __init__(self, spec: GameSpec, encoder: str, sizes: AttackSizes) -> None:
        super().__init__()
        num_planes, height, width = spec.plane_shape(encoder)
        num_cells = height * width
        blocks = [ConvBlock(num_planes, num_cells, sizes.squeezed) for _ in range(sizes.blocks)]
        self.blocks = nn.Sequential(InputBlock(num_planes, num_cells, sizes.squeezed), *blocks)
        self.value1 = nn.Linear(num_planes * num_cells, sizes.value_hidden)
        self.value2 = nn.Linear(sizes.value_hidden, 1)

    def forward(self, planes: Tensor) -> Tensor:
        """Value [B] in [-1, 1]; above 0 the first player (White) is winning."""
        hidden = torch.relu(self.value1(self.blocks(planes).flatten(1)))
        return torch.tanh(self.value2(hidden)).squeeze(1)


class AttackFamily:
    name = "attack"

    def build(self, spec: GameSpec, encoder: str, sizes: AttackSizes) -> nn.Module:
        return AttackNet(spec, encoder, sizes)


FAMILY = AttackFamily()
