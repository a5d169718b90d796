"""The tower family: planes → convolution → residual blocks → policy over all actions and value.

With the right sizes it is the reference chess network (18 planes, 10 × 128), the 19-block network over 19
planes, or the Santorini network (9 planes, 8 × 256): see presets.
"""

import torch
from torch import Tensor, nn

from milton.errors import CheckpointError
from milton.games import GameSpec
from milton.nets.sizes import TowerSizes
from milton.nets.sparse_grid import NUM_OUTCOMES


def conv_unit(inputs: int, outputs: int, kernel: int) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs))


class SqueezeExcite(nn.Module):
    """Scales each filter by what the whole board looks like (Hu et al. 2018)."""

    def __init__(self, filters: int, squeezed: int) -> None:
        super().__init__()
        self.squeeze = nn.Linear(filters, squeezed)
        self.excite = nn.Linear(squeezed, filters)

    def forward(self, x: Tensor) -> Tensor:
        scale = torch.sigmoid(self.excite(torch.relu(self.squeeze(x.mean((2, 3))))))
        return x * scale[:, :, None, None]


class ResidualBlock(nn.Module):
    def __init__(self, filters: int, squeezed: int) -> None:
        super().__init__()
        self.first = conv_unit(filters, filters, 3)
        self.second = conv_unit(filters, filters, 3)
        self.scale = SqueezeExcite(filters, squeezed) if squeezed else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.scale(self.second(torch.relu(self.first(x)))))


class PlanesPolicy(nn.Module):
    """One logit for every kind of move on every cell; actions are numbered kind by kind (core/encode)."""

    def __init__(self, filters: int, num_planes: int) -> None:
        super().__init__()
        self.mix = conv_unit(filters, filters, 1)
        self.out = nn.Conv2d(filters, num_planes, 1)

    def forward(self, x: Tensor) -> Tensor:
        planes: Tensor = self.out(torch.relu(self.mix(x)))  # [B, kinds, H, W]
        return planes.flatten(1)


class DensePolicy(nn.Module):
    def __init__(self, filters: int, channels: int, num_cells: int, num_actions: int) -> None:
        super().__init__()
        self.reduce = conv_unit(filters, channels, 1)
        self.out = nn.Linear(channels * num_cells, num_actions)

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.out(torch.relu(self.reduce(x)).flatten(1))
        return logits


class ValueHead(nn.Module):
    """[B] by tanh, or win/draw/loss logits [B, 3]; seen by the side to move."""

    def __init__(self, sizes: TowerSizes, num_cells: int) -> None:
        super().__init__()
        self.by_outcome = sizes.value_head == "wdl"
        self.reduce = conv_unit(sizes.filters, sizes.value_channels, 1)
        self.hidden = nn.Linear(sizes.value_channels * num_cells, sizes.value_hidden)
        self.out = nn.Linear(sizes.value_hidden, NUM_OUTCOMES if self.by_outcome else 1)

    def forward(self, x: Tensor) -> Tensor:
        hidden = torch.relu(self.hidden(torch.relu(self.reduce(x)).flatten(1)))
        out: Tensor = self.out(hidden)
        return out if self.by_outcome else torch.tanh(out).squeeze(1)


class TowerNet(nn.Module):
    def __init__(self, spec: GameSpec, encoder: str, sizes: TowerSizes) -> None:
        super().__init__()
        num_planes, height, width = spec.plane_shape(encoder)
        num_cells = height * width
        self.stem = conv_unit(num_planes, sizes.filters, 3)
        blocks = [ResidualBlock(sizes.filters, sizes.squeeze_excite) for _ in range(sizes.blocks)]
        self.blocks = nn.Sequential(*blocks)
        self.policy = _policy_head(spec, sizes, num_cells)
        self.value = ValueHead(sizes, num_cells)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [B, actions] of all actions, legal or not, and the value head's output."""
        x = self.blocks(torch.relu(self.stem(planes)))
        return self.policy(x), self.value(x)


def _policy_head(spec: GameSpec, sizes: TowerSizes, num_cells: int) -> nn.Module:
    if sizes.policy_head == "dense":
        return DensePolicy(sizes.filters, sizes.policy_channels, num_cells, spec.num_actions)
    if spec.num_actions % num_cells:
        raise CheckpointError(
            f"expected policy_head 'dense' for {spec.name}: its {spec.num_actions} actions are no whole "
            f"number of planes of {num_cells} cells"
        )
    return PlanesPolicy(sizes.filters, spec.num_actions // num_cells)


class TowerFamily:
    name = "tower"

    def build(self, spec: GameSpec, encoder: str, sizes: TowerSizes) -> nn.Module:
        return TowerNet(spec, encoder, sizes)


FAMILY = TowerFamily()
