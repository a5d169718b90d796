"""An ONNX file is a program of somebody: other inputs, endless loops and huge tensors end in one line."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from small_nets import SMALL_NETS, write_net

from milton.errors import CheckpointError
from milton.nets.export import export_onnx
from milton.nets.verify import verify_onnx
from milton.nets.verify_bounded import verify_bounded


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    path = tmp_path / "net.onnx"
    export_onnx(write_net(tmp_path / "net.safetensors", SMALL_NETS["mlp-connect-four"]), path)
    return path


def with_value(path: Path, *nodes: onnx.NodeProto) -> None:
    """The output `value` is computed by these nodes instead; everything else stays."""
    model = onnx.load(path)
    for node in model.graph.node:
        node.output[:] = ["unused" if name == "value" else name for name in node.output]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def constant(name: str, values: np.ndarray) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(values))


def test_other_inputs_are_named(exported):
    model = onnx.load(exported)
    model.graph.input.append(helper.make_tensor_value_info("extra", TensorProto.FLOAT, [1]))
    onnx.save(model, exported)
    with pytest.raises(CheckpointError, match=r"expected inputs .*'extra'"):
        verify_onnx(exported, num_positions=10)


@pytest.mark.slow
def test_a_loop_without_end_is_ended(exported):
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["go_on"]), helper.make_node("Add", ["x", "x"], ["y"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [1]),
        ],
        [
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [1]),
        ],
    )
    with_value(
        exported,
        constant("times", np.array(2**62)),
        constant("first", np.array([1.0], np.float32)),
        helper.make_node("Loop", ["times", "", "first"], ["value"], body=body),
    )
    with pytest.raises(CheckpointError, match="took longer than"):
        verify_bounded(exported, num_positions=10, longest_s=15.0)


def test_a_missing_file_is_called_missing(tmp_path):
    with pytest.raises(CheckpointError, match=r"there is no such file; `milton export --out net\.onnx`"):
        verify_bounded(tmp_path / "net.onnx")


@pytest.mark.slow
def test_a_tensor_larger_than_the_memory_is_one_line(exported):
    with_value(
        exported,
        constant("size", np.array([1 << 40])),
        helper.make_node("ConstantOfShape", ["size"], ["value"]),
    )
    with pytest.raises(CheckpointError) as raised:
        verify_bounded(exported, num_positions=10)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"\x00" * 64, b"\x08\x07\x12" + b"\xff" * 200])
def test_what_is_no_onnx_file_is_one_line(exported, content):
    exported.write_bytes(content)
    with pytest.raises(CheckpointError) as raised:
        verify_onnx(exported, num_positions=10)
    assert "\n" not in str(raised.value)
