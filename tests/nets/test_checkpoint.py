import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from small_nets import SMALL_NETS, lively_net, write_net

from milton.errors import CheckpointError, MiltonError
from milton.nets import NetDescription, Provenance, read_checkpoint_info, read_checkpoint_numpy
from milton.nets.checkpoint import load_checkpoint, save_checkpoint
from milton.nets.files import compact_checkpoint
from milton.nets.presets import preset
from milton.nets.registry import build_net
from milton.nets.safetensors_file import write_file
from milton.nets.sparse_grid import snap_to_grid

PROVENANCE = Provenance(
    run="first",
    iteration=3,
    positions=9_000_000_000,
    parent_sha256="ab" * 32,
    created="2026-01-02T03:04:05Z",
    commit="1bd505c",
    elo=1234.5,
)


def test_a_network_comes_back_bit_for_bit_from_its_file_alone(
    description: NetDescription, tmp_path: Path
) -> None:
    path, net = tmp_path / "net.safetensors", lively_net(description)
    sha256 = save_checkpoint(path, description, net.state_dict(), PROVENANCE)
    loaded = load_checkpoint(path)
    assert loaded.description == description
    assert loaded.info.provenance == PROVENANCE
    assert loaded.sha256 == sha256
    assert not loaded.net.training
    state = net.state_dict()
    assert state.keys() == loaded.net.state_dict().keys()
    for name, tensor in loaded.net.state_dict().items():
        assert tensor.dtype == state[name].dtype, name
        assert torch.equal(tensor, state[name]), name
    assert [p.requires_grad for p in loaded.net.parameters()] == [p.requires_grad for p in net.parameters()]


def test_equal_contents_give_equal_files(description: NetDescription, tmp_path: Path) -> None:
    state = lively_net(description).state_dict()
    backwards = dict(reversed(state.items()))
    first = save_checkpoint(tmp_path / "a", description, state, PROVENANCE)
    second = save_checkpoint(tmp_path / "b", description, backwards, PROVENANCE)
    assert first == second
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_safetensors_library_reads_our_files(description: NetDescription, net_path: Path) -> None:
    path = write_net(net_path, description)
    expected = load_checkpoint(path).net.state_dict()
    found = safetensors.torch.load_file(path)
    assert found.keys() == expected.keys()
    for name, tensor in found.items():
        assert torch.equal(tensor, expected[name]), name


def test_we_read_files_of_the_safetensors_library(
    description: NetDescription, net_path: Path, tmp_path: Path
) -> None:
    original = load_checkpoint(write_net(net_path, description))
    with safetensors.safe_open(net_path, "pt") as file:
        metadata = file.metadata()
    rewritten = tmp_path / "rewritten.safetensors"
    safetensors.torch.save_file(original.net.state_dict(), rewritten, metadata)
    loaded = load_checkpoint(rewritten)
    assert loaded.info == original.info
    for name, tensor in loaded.net.state_dict().items():
        assert torch.equal(tensor, original.net.state_dict()[name]), name


def test_a_loaded_network_can_be_trained_on(net_path: Path) -> None:
    net = load_checkpoint(write_net(net_path, SMALL_NETS["tower-chess"])).net.train()
    policy, value = net(torch.zeros(2, 18, 8, 8))
    (policy.square().sum() + value.sum()).backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()


def test_for_play_snaps_sparse_weights_and_says_so(tmp_path: Path) -> None:
    description = SMALL_NETS["sparse-chess"]
    state = lively_net(description).state_dict()
    save_checkpoint(tmp_path / "play", description, state, PROVENANCE, for_play=True)
    save_checkpoint(tmp_path / "float", description, state, PROVENANCE)
    loaded = read_checkpoint_numpy(tmp_path / "play")
    assert loaded.info.on_grid
    assert not read_checkpoint_info(tmp_path / "float").on_grid
    expected = snap_to_grid(
        {name: tensor.numpy() for name, tensor in state.items()}, description.feature_groups()
    )
    for name, values in loaded.tensors.items():
        assert np.array_equal(values, expected[name]), name
    assert not np.array_equal(loaded.tensors["features.weight"], state["features.weight"].numpy())


def test_int16_and_float_files_of_a_network_load_to_the_same_bits(tmp_path: Path) -> None:
    """Checkpoints were stored as floats once; those files stay valid."""
    description = SMALL_NETS["sparse-santorini"]
    state = lively_net(description).state_dict()
    small, large = tmp_path / "small.safetensors", tmp_path / "large.safetensors"
    save_checkpoint(small, description, state, PROVENANCE, for_play=True)
    snapped = snap_to_grid(
        {name: tensor.numpy() for name, tensor in state.items()}, description.feature_groups()
    )
    metadata = description.to_metadata("checkpoint") | {"on_grid": "yes"}
    write_file(large, snapped, metadata | {"provenance": PROVENANCE.model_dump_json()})
    assert small.stat().st_size < 0.6 * large.stat().st_size
    found, expected = read_checkpoint_numpy(small), read_checkpoint_numpy(large)
    assert (found.info.is_compact, expected.info.is_compact) == (True, False)
    for name, values in expected.tensors.items():
        assert values.dtype == found.tensors[name].dtype
        assert values.tobytes() == found.tensors[name].tobytes(), name
    compact_checkpoint(large, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == small.read_bytes()


def test_saving_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    description = SMALL_NETS["mlp-connect-four"]
    path = tmp_path / "net.safetensors"
    path.write_bytes(b"old")
    save_checkpoint(path, description, lively_net(description).state_dict(), PROVENANCE)
    assert list(tmp_path.iterdir()) == [path]
    load_checkpoint(path)


def test_a_state_that_could_not_be_loaded_is_not_written(tmp_path: Path) -> None:
    description = SMALL_NETS["mlp-connect-four"]
    path = tmp_path / "net.safetensors"
    state = dict(lively_net(description).state_dict())
    for broken in (
        {**state, "value.bias": torch.tensor([float("nan")])},
        {**state, "value.bias": torch.zeros(2)},
        {**state, "value.bias": torch.zeros(1, dtype=torch.float16)},
        {**state, "extra": torch.zeros(1)},
        {name: tensor for name, tensor in state.items() if name != "value.bias"},
    ):
        with pytest.raises(CheckpointError, match=r"net\.safetensors: tensor"):
            save_checkpoint(path, description, broken, PROVENANCE)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    description = SMALL_NETS["mlp-connect-four"]
    state = build_net(description).state_dict()
    with pytest.raises(MiltonError, match="nowhere"):
        save_checkpoint(tmp_path / "nowhere" / "net.safetensors", description, state, PROVENANCE)


def test_reading_a_sparse_checkpoint_does_not_import_torch(tmp_path: Path) -> None:
    description = preset("connect-four-sparse")
    path = tmp_path / "net.safetensors"
    save_checkpoint(path, description, build_net(description).state_dict(), PROVENANCE, for_play=True)
    program = (
        "import sys, pathlib, milton.nets, milton.nets.inputs, milton.nets.presets\n"
        f"arrays = milton.nets.read_checkpoint_numpy(pathlib.Path({str(path)!r}))\n"
        "assert arrays.tensors['features.bias'].shape == (128,)\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
