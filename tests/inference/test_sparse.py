"""The sparse network twice: in PyTorch for training, in the core for play. Both must say the same."""

import random
from collections.abc import Callable

import numpy as np
import pytest
import torch
from playing import write_playable
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from small_nets import SMALL_NETS, write_net

from milton.errors import CheckpointError, MiltonError
from milton.games import Position
from milton.inference.sparse import load_sparse, load_sparse_net
from milton.nets import NetDescription
from milton.nets.checkpoint import load_checkpoint
from milton.nets.inputs import sparse_inputs
from milton.nets.sizes import SparseSizes

NUM_POSITIONS = 10_000
TOLERANCE = 1e-4
NAMES = ("sparse-chess", "sparse-santorini", "sparse-connect-four")


def random_positions(game: str, count: int) -> np.ndarray:
    """Packed positions of random games."""
    choose = random.Random(5)
    packed: list[bytes] = []
    while len(packed) < count:
        position = Position.start(game)
        while position.outcome(claim_draws=True) is None and len(packed) < count:
            packed.append(position.pack())
            position = position.play(choose.choice(position.legal_moves()))
    return np.frombuffer(b"".join(packed), np.uint8).reshape(count, -1)


@pytest.mark.parametrize("name", NAMES)
def test_the_core_and_pytorch_agree(name, tmp_path):
    path = write_playable(tmp_path / "net.safetensors", name)
    spec = SMALL_NETS[name].spec
    packed = random_positions(spec.name, NUM_POSITIONS)
    wdl, policy = load_sparse(path).evaluate_packed(packed)
    net = load_checkpoint(path).net.eval()
    with torch.no_grad():
        inputs = sparse_inputs(spec, SMALL_NETS[name].encoder, packed)
        wdl_logits, logits = net(*map(torch.from_numpy, inputs))
    expected = torch.softmax(logits, dim=1).numpy()
    width = expected.shape[1]
    assert np.abs(policy[:, :width] - expected).max() < TOLERANCE
    assert policy[:, width:].sum() == 0
    assert np.abs(wdl - torch.softmax(wdl_logits, dim=1).numpy()).max() < TOLERANCE


def test_weights_that_were_not_written_for_play_are_put_on_the_grid(tmp_path):
    path = write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-chess"])
    network = load_sparse(path)
    assert not network.info.on_grid
    assert network.net.hidden == 32


def test_other_families_and_games_are_refused(tmp_path):
    dense = write_net(tmp_path / "dense.safetensors", SMALL_NETS["mlp-connect-four"])
    with pytest.raises(CheckpointError, match="mlp"):
        load_sparse(dense)
    sparse = write_net(tmp_path / "sparse.safetensors", SMALL_NETS["sparse-chess"])
    with pytest.raises(CheckpointError, match="santorini"):
        load_sparse_net(sparse, "santorini")


Tensors = dict[str, np.ndarray]


def without_contexts(tensors: Tensors) -> None:
    del tensors["contexts.weight"]


def too_few_contexts(tensors: Tensors) -> None:
    tensors["contexts.weight"] = tensors["contexts.weight"][:-1].copy()


def narrow_contexts(tensors: Tensors) -> None:
    tensors["contexts.weight"] = tensors["contexts.weight"][:, :-1].copy()


def biases_that_are_no_numbers(tensors: Tensors) -> None:
    tensors["contexts.bias"][7] = np.nan


def endless_weights(tensors: Tensors) -> None:
    tensors["contexts.weight"][3, 3] = np.inf


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (without_contexts, "contexts.weight"),
        (too_few_contexts, "contexts.weight"),
        (narrow_contexts, "contexts.weight"),
        (biases_that_are_no_numbers, "contexts.bias"),
        (endless_weights, "contexts.weight"),
    ],
)
def test_damaged_contexts_of_moves_are_refused_by_name(
    damage: Callable[[Tensors], None], named: str, tmp_path
) -> None:
    description = NetDescription("sparse", "chess", "sparse-relations", SparseSizes(hidden=32))
    path = write_net(tmp_path / "net.safetensors", description)
    load_sparse(path)
    with safe_open(path, "np") as file:
        metadata = file.metadata()
    tensors = load_file(path)
    damage(tensors)
    save_file(tensors, path, metadata)
    with pytest.raises(MiltonError, match=named):
        load_sparse(path)
