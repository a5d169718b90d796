from pathlib import Path

import numpy as np
import onnx
import pytest
from small_nets import SMALL_NETS, write_net

from milton.errors import CheckpointError
from milton.nets import NetDescription
from milton.nets.export import export_onnx
from milton.nets.signature import signature_of
from milton.nets.verify import verify_onnx


@pytest.fixture
def onnx_path(tmp_path: Path) -> Path:
    return tmp_path / "net.onnx"


def test_onnx_agrees_with_pytorch_on_real_positions(
    description: NetDescription, net_path: Path, onnx_path: Path
) -> None:
    export_onnx(write_net(net_path, description), onnx_path)
    result = verify_onnx(onnx_path, num_positions=100)  # not a multiple of the batch: the size is free
    assert result.num_positions == 100
    assert result.max_difference.keys() == set(signature_of(description).outputs)
    assert result.agrees, result.max_difference


def test_the_file_is_self_contained_and_says_what_it_is(net_path: Path, onnx_path: Path) -> None:
    description = SMALL_NETS["tower-santorini"]
    export_onnx(write_net(net_path, description), onnx_path)
    model = onnx.load(onnx_path, load_external_data=False)
    assert not any(tensor.external_data for tensor in model.graph.initializer)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["family"] == "tower"
    assert metadata["game"] == "santorini"
    assert metadata["encoder"] == "planes9"
    assert metadata["checkpoint_name"] == net_path.name
    assert len(metadata["checkpoint_sha256"]) == 64


def test_a_changed_weight_is_noticed(net_path: Path, onnx_path: Path) -> None:
    export_onnx(write_net(net_path, SMALL_NETS["mlp-connect-four"]), onnx_path)
    model = onnx.load(onnx_path)
    bias = next(tensor for tensor in model.graph.initializer if tensor.name == "policy.bias")
    changed = onnx.numpy_helper.to_array(bias) + np.float32(0.01)
    bias.CopyFrom(onnx.numpy_helper.from_array(changed, bias.name))
    onnx.save(model, onnx_path)
    result = verify_onnx(onnx_path, num_positions=10)
    assert not result.agrees
    assert result.max_difference["policy"] == pytest.approx(0.01, rel=1e-2)
    assert result.max_difference["value"] < 1e-5


def test_another_checkpoint_is_refused(net_path: Path, onnx_path: Path, tmp_path: Path) -> None:
    export_onnx(write_net(net_path, SMALL_NETS["mlp-connect-four"]), onnx_path)
    other = write_net(tmp_path / "other.safetensors", SMALL_NETS["mlp-santorini"])
    with pytest.raises(CheckpointError, match="expected the checkpoint with SHA-256"):
        verify_onnx(onnx_path, other)


def test_the_checkpoint_must_be_found(net_path: Path, onnx_path: Path) -> None:
    export_onnx(write_net(net_path, SMALL_NETS["mlp-connect-four"]), onnx_path)
    net_path.unlink()
    with pytest.raises(CheckpointError, match=r"'net\.safetensors' beside it"):
        verify_onnx(onnx_path)


@pytest.mark.parametrize("content", [b"", b"not an ONNX file", bytes(1000)])
def test_a_file_that_is_no_onnx_model_is_refused(onnx_path: Path, content: bytes) -> None:
    onnx_path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"net\.onnx"):
        verify_onnx(onnx_path)


def test_a_missing_file_is_refused(onnx_path: Path) -> None:
    with pytest.raises(CheckpointError, match="expected an ONNX file"):
        verify_onnx(onnx_path)
