"""The sparse network exists twice, in PyTorch and in the core. Both must say the same."""

import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from small_nets import write_net

from milton import _core
from milton.games import GAME_NAMES, GameSpec
from milton.inference.sparse import load_sparse
from milton.nets import NetDescription, Provenance, SparseSizes
from milton.nets.checkpoint import load_checkpoint, save_checkpoint
from milton.nets.inputs import random_positions, sparse_inputs
from milton.nets.registry import build_net

NUM_POSITIONS = 10_000
TOLERANCE = 1e-4

PROGRAM = """
import sys, numpy as np
from pathlib import Path
from milton.inference.sparse import load_sparse
from milton import _core
data = np.load(sys.argv[2])
network = load_sparse(Path(sys.argv[1]))
wdl, policy = network.evaluate_packed(data)
np.savez(sys.argv[3], wdl=wdl, policy=policy, variant=_core.variant)
"""


def trained_like(game: str, encoder: str, hidden: int, seed: int = 3):
    """Random weights with a wider spread than hours of training give them (features 0.11, value2 0.31, …)."""
    description = NetDescription("sparse", game, encoder, SparseSizes(hidden=hidden))
    net = build_net(description, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    spread = {"features": 0.15, "value1": 0.15, "value2": 1.0, "policy": 0.15, "contexts": 0.15}
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.add_(noise * spread[name.split(".")[0]])
    return description, net


def torch_opinion(net, spec: GameSpec, encoder: str, packed):
    inputs = map(torch.from_numpy, sparse_inputs(spec, encoder, packed))
    with torch.no_grad():
        wdl, logits = net.eval()(*inputs)
    return wdl.softmax(1).numpy(), logits.softmax(1).nan_to_num(0.0).numpy()


ENCODERS = [(game, encoder, 256) for game in GAME_NAMES for encoder in GameSpec.of(game).sparse_encoders]


@pytest.mark.parametrize(("game", "encoder", "hidden"), [*ENCODERS, ("connect_four", "sparse", 96)])
def test_core_and_pytorch_agree_on_ten_thousand_positions(game, encoder, hidden, tmp_path):
    description, net = trained_like(game, encoder, hidden)
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, description, net.state_dict(), Provenance(run="test"), for_play=True)
    spec = GameSpec.of(game)
    packed = random_positions(spec, NUM_POSITIONS, seed=1)
    wdl, policy = load_sparse(path).evaluate_packed(packed)
    expected_wdl, expected_policy = torch_opinion(load_checkpoint(path).net, spec, encoder, packed)

    # The comparison means something only if opinions differ from position to position.
    assert expected_wdl.std(axis=0).max() > 0.02
    assert expected_policy.max(axis=1).mean() > 1.2 / expected_policy.shape[1]
    value, expected_value = wdl[:, 0] - wdl[:, 2], expected_wdl[:, 0] - expected_wdl[:, 2]
    assert np.abs(value - expected_value).max() < TOLERANCE
    assert np.abs(wdl - expected_wdl).max() < TOLERANCE
    width = expected_policy.shape[1]
    assert np.abs(policy[:, :width] - expected_policy).max() < TOLERANCE
    assert not policy[:, width:].any()
    assert np.allclose(policy.sum(axis=1), 1.0, atol=1e-5)


def test_all_variants_of_the_core_have_the_same_opinion(tmp_path):
    runnable = _core.runnable_variants()
    if len(runnable) < 2:
        pytest.skip(f"only {runnable} can run here")
    description, _ = trained_like("chess", "sparse-relations", 96)
    checkpoint = write_net(tmp_path / "net.safetensors", description)
    np.save(tmp_path / "packed.npy", random_positions(GameSpec.of("chess"), 1000, seed=2))
    opinions = []
    for variant in runnable:
        arguments = [checkpoint, tmp_path / "packed.npy", tmp_path / f"{variant}.npz"]
        environment = {**os.environ, "MILTON_CORE": variant}
        subprocess.run([sys.executable, "-c", PROGRAM, *map(str, arguments)], env=environment, check=True)
        opinions.append(np.load(arguments[2]))
    assert [str(opinion["variant"]) for opinion in opinions] == runnable
    # Whole numbers up to the last layer; exponentials may differ in the last bits.
    for opinion in opinions[1:]:
        assert np.abs(opinions[0]["wdl"] - opinion["wdl"]).max() < 1e-5
        assert np.abs(opinions[0]["policy"] - opinion["policy"]).max() < 1e-5
