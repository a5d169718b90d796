"""Small networks of every family and game, and checkpoint files of them, for the tests of several rooms."""

from pathlib import Path

import torch
from torch import nn

from milton.nets import AttackSizes, MlpSizes, NetDescription, Provenance, SparseSizes, TowerSizes
from milton.nets.checkpoint import save_checkpoint
from milton.nets.registry import build_net

DENSE_TOWER = TowerSizes(blocks=2, filters=8, policy_head="dense")
SMALL_NETS = {
    "sparse-chess": NetDescription("sparse", "chess", "sparse-relations", SparseSizes(hidden=32)),
    "sparse-chess-pieces": NetDescription("sparse", "chess", "sparse", SparseSizes(hidden=32)),
    "sparse-santorini": NetDescription("sparse", "santorini", "sparse", SparseSizes(hidden=32)),
    "sparse-connect-four": NetDescription("sparse", "connect_four", "sparse", SparseSizes(hidden=32)),
    "tower-chess": NetDescription("tower", "chess", "planes18", TowerSizes(blocks=2, filters=8)),
    "tower-chess-wdl": NetDescription(
        "tower", "chess", "planes19", TowerSizes(blocks=1, filters=8, squeeze_excite=4, value_head="wdl")
    ),
    "tower-santorini": NetDescription("tower", "santorini", "planes9", DENSE_TOWER),
    "tower-connect-four": NetDescription("tower", "connect_four", "planes3", DENSE_TOWER),
    "attack-chess": NetDescription("attack", "chess", "planes34", AttackSizes()),
    "mlp-chess": NetDescription("mlp", "chess", "planes12", MlpSizes(hidden=16)),
    "mlp-santorini": NetDescription("mlp", "santorini", "planes9", MlpSizes()),
    "mlp-connect-four": NetDescription("mlp", "connect_four", "planes3", MlpSizes()),
}


def lively_net(description: NetDescription) -> nn.Module:
    """A network none of whose tensors is still at the zero or one it starts with, so that each matters."""
    net = build_net(description, seed=7)
    generator = torch.Generator().manual_seed(11)
    with torch.no_grad():
        for tensor in net.state_dict().values():
            if tensor.is_floating_point():
                tensor.add_(torch.rand(tensor.shape, generator=generator) * 0.1)
            else:
                tensor.fill_(5)
    return net


def write_net(path: Path, description: NetDescription) -> Path:
    save_checkpoint(path, description, lively_net(description).state_dict(), Provenance(run="test"))
    return path
