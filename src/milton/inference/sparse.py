"""Checkpoint → the core's sparse network, ready for search. Torch-free; knows no search itself."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from milton._core import SparseNet
from milton.errors import CheckpointError
from milton.games import core_game
from milton.inference.evaluator import Float32Array
from milton.nets import CheckpointInfo, NetDescription, read_checkpoint_info, read_checkpoint_numpy
from milton.nets.files import CheckpointArrays
from milton.nets.inputs import PackedPositions
from milton.nets.sparse_grid import snap_to_grid


@dataclass(frozen=True, slots=True)
class SparseNetwork:
    """A sparse network in the core. It never changes, so any number of searches may share it."""

    net: SparseNet
    info: CheckpointInfo
    sha256: str  # of the checkpoint

    @property
    def description(self) -> NetDescription:
        return self.info.description

    def evaluate_packed(self, packed: PackedPositions) -> tuple[Float32Array, Float32Array]:
        """Win/draw/loss [N, 3] seen by the side to move, and probabilities [N, max_moves] of the legal moves.

        Moves are in generation order; beyond them the probabilities are zero.
        """
        spec = self.description.spec
        wdl = np.empty((len(packed), 3), np.float32)
        policy = np.empty((len(packed), spec.max_moves), np.float32)
        core_game(spec.name).evaluate_sparse(self.net, packed, wdl, policy)
        return wdl, policy


def load_sparse(path: Path) -> SparseNetwork:
    """The network of a sparse checkpoint; CheckpointError for any other family."""
    family = read_checkpoint_info(path).description.family  # before a dense one pulls torch in
    if family != "sparse":
        raise CheckpointError(f"{path}: expected a sparse network, got family {family!r}")
    return sparse_network(read_checkpoint_numpy(path))


def load_sparse_net(path: Path, game: str) -> tuple[SparseNet, str]:
    """The core's network of a checkpoint and the file's SHA-256; CheckpointError if for another game."""
    network = load_sparse(path)
    if network.description.game != game:
        raise CheckpointError(
            f"{path}: expected a network for {game}, got one for {network.description.game}"
        )
    return network.net, network.sha256


def sparse_network(checkpoint: CheckpointArrays) -> SparseNetwork:
    """The core's network from arrays. Weights that were not written for play are put on its grid first."""
    spec = checkpoint.info.description.spec
    tensors = checkpoint.tensors
    if not checkpoint.info.on_grid:
        tensors = snap_to_grid(tensors, checkpoint.info.description.feature_groups())
    arrays = {name.replace(".", "_"): np.ascontiguousarray(array) for name, array in tensors.items()}
    return SparseNetwork(core_game(spec.name).sparse_net(**arrays), checkpoint.info, checkpoint.sha256)
