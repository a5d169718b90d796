"""Networks to and from checkpoint files. Needs torch; `files` reads the same files without it. No pickle."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from milton.nets.description import NetDescription, Provenance
from milton.nets.files import CheckpointInfo, read_checkpoint_numpy, write_checkpoint_numpy
from milton.nets.registry import build_net
from milton.nets.safetensors_file import Array


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded network, in evaluation mode on the CPU, and what its file said about it."""

    net: nn.Module
    info: CheckpointInfo
    sha256: str

    @property
    def description(self) -> NetDescription:
        return self.info.description


def load_checkpoint(path: Path) -> Checkpoint:
    """The network in the file, or CheckpointError; nothing is allocated for a file that is refused."""
    loaded = read_checkpoint_numpy(path)
    net = net_from_tensors(loaded.info.description, to_tensors(loaded.tensors))
    return Checkpoint(net, loaded.info, loaded.sha256)


def save_checkpoint(
    path: Path,
    description: NetDescription,
    state: Mapping[str, Tensor],
    provenance: Provenance,
    *,
    for_play: bool = False,
) -> str:
    """Writes a network's state atomically and returns the SHA-256 of the file.

    `for_play` snaps a sparse network to the number grid the core computes with, so that PyTorch and the core
    agree on what the file means; what a trainer resumes from belongs in a training state instead.
    """
    return write_checkpoint_numpy(path, description, to_arrays(state), provenance, for_play=for_play)


def net_from_tensors(description: NetDescription, state: Mapping[str, Tensor]) -> nn.Module:
    """Takes the tensors over as they are: the network is never initialised with weights of its own."""
    with torch.device("meta"):
        net = build_net(description)
    net.load_state_dict(dict(state), strict=True, assign=True)
    for parameter in net.parameters():
        parameter.requires_grad_(True)
    return net.eval()


def to_tensors(arrays: Mapping[str, Array]) -> dict[str, Tensor]:
    """Shares the arrays' memory."""
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def to_arrays(tensors: Mapping[str, Tensor]) -> dict[str, Array]:
    return {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()}
