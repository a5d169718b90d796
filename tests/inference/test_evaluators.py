import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import small_nets
import torch
from small_nets import SMALL_NETS, write_net

from milton.errors import ArgumentError, CheckpointError, ExtraMissingError, MiltonError, NotationError
from milton.inference.evaluator import DenseEvaluator, Evaluation, Evaluator
from milton.inference.load import load_evaluator
from milton.inference.onnxruntime import OnnxRuntimeEvaluator
from milton.inference.openvino import OpenVinoEvaluator, is_installed
from milton.inference.pytorch import PyTorchEvaluator
from milton.nets import NetDescription
from milton.nets.checkpoint import load_checkpoint
from milton.nets.export import onnx_bytes
from milton.nets.inputs import encode_planes, random_positions

DENSE_NETS = {name: net for name, net in SMALL_NETS.items() if not net.is_sparse}
CPU_BACKENDS = [
    OnnxRuntimeEvaluator,
    pytest.param(
        OpenVinoEvaluator, marks=pytest.mark.skipif(not is_installed(), reason="openvino is not installed")
    ),
]


@pytest.fixture(params=DENSE_NETS)
def description(request: pytest.FixtureRequest) -> NetDescription:
    return DENSE_NETS[request.param]


@pytest.fixture
def path(tmp_path: Path, description: NetDescription) -> Path:
    return write_net(tmp_path / "net.safetensors", description)


def assert_close(found: Evaluation, expected: Evaluation) -> None:
    np.testing.assert_allclose(found.value, expected.value, atol=1e-4)
    for ours, theirs in ((found.policy_logits, expected.policy_logits), (found.wdl, expected.wdl)):
        if theirs is None:
            assert ours is None
        else:
            assert ours is not None
            np.testing.assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize("backend", CPU_BACKENDS)
def test_backends_agree_with_pytorch(
    path: Path, description: NetDescription, backend: type[OnnxRuntimeEvaluator | OpenVinoEvaluator]
) -> None:
    checkpoint = load_checkpoint(path)
    packed = random_positions(description.spec, 50, seed=9)
    found = backend(onnx_bytes(checkpoint), description, threads=1).evaluate_packed(packed)
    expected = PyTorchEvaluator(checkpoint.net, description, "cpu").evaluate_packed(packed)
    assert_close(found, expected)


def test_results_have_the_promised_shapes_and_ranges(path: Path, description: NetDescription) -> None:
    evaluator: Evaluator = load_evaluator(path, "cpu")
    packed = random_positions(description.spec, 5, seed=2)
    result = evaluator.evaluate_packed(packed)
    assert result.value.shape == (5,)
    assert result.value.dtype == np.float32
    assert np.abs(result.value).max() <= 1
    if description.family == "attack":
        assert result.policy_logits is None
        assert evaluator.viewpoint == "first_player"
    else:
        assert result.policy_logits is not None
        assert result.policy_logits.shape == (5, description.spec.num_actions)
        assert evaluator.viewpoint == "side_to_move"
    if result.wdl is not None:
        np.testing.assert_allclose(result.wdl.sum(axis=1), 1, atol=1e-6)
        np.testing.assert_allclose(result.value, result.wdl[:, 0] - result.wdl[:, 2], atol=1e-6)


class Overflowing(DenseEvaluator):
    """A network whose weights are finite and whose outputs are not."""

    def _run(self, planes: np.ndarray) -> dict[str, np.ndarray]:
        wild = np.array([[np.nan, np.inf, -np.inf], [3e38, -3e38, 0.0]], dtype=np.float32)
        return {"value": wild[0], "policy": wild} | ({"wdl": wild} if self.has_wdl else {})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("has_wdl", [False, True])
def test_outputs_that_are_no_numbers_still_give_values(has_wdl: bool) -> None:
    description = next(iter(DENSE_NETS.values()))
    evaluator = Overflowing(description, "test")
    evaluator.has_wdl = has_wdl
    value = evaluator.evaluate(np.zeros((2, *description.plane_shape()), dtype=np.float32)).value
    assert np.all(np.abs(value) <= 1.0), value


def test_a_position_is_worth_the_same_in_any_batch(path: Path, description: NetDescription) -> None:
    evaluator = load_evaluator(path, "cpu", threads=2)
    planes = encode_planes(
        description.spec, description.encoder, random_positions(description.spec, 9, seed=4)
    )
    together = evaluator.evaluate(planes)
    alone = [evaluator.evaluate(planes[i : i + 1]) for i in range(len(planes))]
    np.testing.assert_allclose(together.value, np.concatenate([one.value for one in alone]), atol=1e-5)


@pytest.fixture
def small_path(tmp_path: Path) -> Path:
    return write_net(tmp_path / "net.safetensors", SMALL_NETS["tower-connect-four"])


def test_threads_may_share_an_evaluator(small_path: Path) -> None:
    evaluator = load_evaluator(small_path, "cpu")
    batches = [random_positions(evaluator.description.spec, 8, seed=seed) for seed in range(16)]
    expected = [evaluator.evaluate_packed(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(evaluator.evaluate_packed, batches), expected, strict=True):
            assert_close(found, wanted)


def test_the_cpu_is_chosen_where_there_is_nothing_better(small_path: Path) -> None:
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        pytest.skip("this machine has a GPU")
    assert "CPU" in load_evaluator(small_path, "auto").backend
    for device in ("cuda", "mps"):
        with pytest.raises(ArgumentError, match=device):
            load_evaluator(small_path, device)  # type: ignore[arg-type]


@pytest.mark.parametrize(("device", "threads"), [("tpu", 1), ("cpu", 0), ("cpu", -3)])
def test_bad_settings_are_refused_by_value(small_path: Path, device: str, threads: int) -> None:
    with pytest.raises(ArgumentError, match="tpu" if device == "tpu" else str(threads)):
        load_evaluator(small_path, device, threads)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "planes",
    [
        np.zeros((1, 3, 6, 7), np.float64),
        np.zeros((1, 3, 7, 6), np.float32),
        np.zeros((3, 6, 7), np.float32),
        np.zeros((0, 3, 6, 7), np.float32),
    ],
)
def test_planes_of_another_shape_or_type_are_refused(small_path: Path, planes: np.ndarray) -> None:
    with pytest.raises(ArgumentError, match=r"\[B, 3, 6, 7\]"):
        load_evaluator(small_path, "cpu").evaluate(planes)


def test_a_packed_position_that_is_none_is_refused(small_path: Path) -> None:
    evaluator = load_evaluator(small_path, "cpu")
    with pytest.raises(NotationError, match="row 0"):
        evaluator.evaluate_packed(np.full((1, evaluator.description.spec.packed_bytes), 255, np.uint8))


def test_a_sparse_network_is_not_for_dense_evaluators(tmp_path: Path) -> None:
    path = write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-connect-four"])
    with pytest.raises(MiltonError, match="dense"):
        load_evaluator(path)
    with pytest.raises(CheckpointError, match="sparse"):
        OnnxRuntimeEvaluator(b"", SMALL_NETS["sparse-connect-four"], threads=1)


@pytest.mark.skipif(is_installed(), reason="openvino is installed")
def test_a_missing_openvino_names_its_extra() -> None:
    with pytest.raises(ExtraMissingError, match=r"milton-zero\[openvino\]"):
        OpenVinoEvaluator(b"", SMALL_NETS["tower-connect-four"], threads=1)


def test_without_onnx_a_dense_network_runs_in_pytorch(tmp_path):
    path = write_net(tmp_path / "net.safetensors", SMALL_NETS["tower-santorini"])
    program = (
        "import sys, base_install\n"
        "base_install.block_extras(frozenset({'onnx', 'onnxruntime', 'openvino'}))\n"
        "from pathlib import Path\n"
        "from milton.inference.load import load_evaluator\n"
        "print(load_evaluator(Path(sys.argv[1]), 'cpu').backend)\n"
    )
    support = Path(small_nets.__file__).parent
    result = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env={**os.environ, "PYTHONPATH": str(support)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout.strip() == "PyTorch on cpu", result.stderr
