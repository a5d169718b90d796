"""Checkpoint → Evaluator: picks the backend for the device. Knows what each is for, not how it works."""

from collections import OrderedDict
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from milton.errors import ArgumentError
from milton.extras import needed_for
from milton.inference import openvino
from milton.inference.evaluator import Evaluator
from milton.nets import read_checkpoint_info

if TYPE_CHECKING:
    from milton.nets.checkpoint import Checkpoint

Device = Literal["auto", "cpu", "cuda", "mps"]
DEVICES: tuple[str, ...] = get_args(Device)
# What `load_evaluator` is: a checkpoint, a device and a number of threads -> who evaluates its positions.
EvaluatorFactory = Callable[[Path, Device, int], Evaluator]

MAX_CACHED_MODELS = 8
_exported: OrderedDict[str, bytes] = OrderedDict()  # ONNX by the checkpoint's SHA-256, oldest use first


def load_evaluator(checkpoint_path: Path, device: Device = "auto", threads: int = 1) -> Evaluator:
    """An evaluator for a dense network. `auto` takes a GPU if there is one, else the CPU.

    On a GPU PyTorch. On the CPU the first that is installed of OpenVINO, ONNX Runtime and PyTorch.
    """
    if device not in DEVICES:
        raise ArgumentError(f"expected a device of {', '.join(DEVICES)}, got {device!r}")
    if threads < 1:
        raise ArgumentError(f"expected at least one thread, got {threads}")
    family = read_checkpoint_info(checkpoint_path).description.family
    if family == "sparse":
        raise ArgumentError(
            f"{checkpoint_path}: expected a dense network; inference.sparse.load_sparse loads sparse ones"
        )
    return _load_dense(checkpoint_path, device, threads)


def _load_dense(checkpoint_path: Path, device: Device, threads: int) -> Evaluator:
    # torch takes seconds to import; evaluating sparse networks never gets here.
    with needed_for(f"{checkpoint_path}, a dense network,"):
        from milton.inference.pytorch import PyTorchEvaluator, best_device
        from milton.nets.checkpoint import load_checkpoint

    checkpoint = load_checkpoint(checkpoint_path)
    chosen = best_device() if device == "auto" else device
    if chosen != "cpu" or not _can_export():
        return PyTorchEvaluator(checkpoint.net, checkpoint.description, chosen)
    model = _exported_model(checkpoint)
    if openvino.is_installed():
        return openvino.OpenVinoEvaluator(model, checkpoint.description, threads)
    from milton.inference.onnxruntime import OnnxRuntimeEvaluator

    return OnnxRuntimeEvaluator(model, checkpoint.description, threads)


def _can_export() -> bool:
    runtimes = ("openvino", "onnxruntime")
    return find_spec("onnx") is not None and any(find_spec(name) is not None for name in runtimes)


def _exported_model(checkpoint: "Checkpoint") -> bytes:
    """The network as ONNX, exported once for the evaluators a process makes of the same checkpoint."""
    from milton.nets.export import onnx_bytes

    model = _exported.get(checkpoint.sha256) or onnx_bytes(checkpoint)
    _exported[checkpoint.sha256] = model
    _exported.move_to_end(checkpoint.sha256)
    if len(_exported) > MAX_CACHED_MODELS:
        _exported.popitem(last=False)
    return model
