"""Dense networks by PyTorch, for CUDA and Apple GPUs (and the CPU, as the reference)."""

from typing import Literal

import torch
from torch import nn

from milton.errors import ArgumentError
from milton.inference.evaluator import DenseEvaluator, Float32Array
from milton.nets import NetDescription
from milton.nets.inputs import Planes
from milton.nets.signature import signature_of

TorchDevice = Literal["cpu", "cuda", "mps"]


def best_device() -> TorchDevice:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def check_device(device: TorchDevice) -> None:
    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not available[device]:
        raise ArgumentError(f"expected a device that this machine has, got {device!r}")


class PyTorchEvaluator(DenseEvaluator):
    """Takes the network over: it is moved to the device and left in evaluation mode."""

    def __init__(self, net: nn.Module, description: NetDescription, device: TorchDevice) -> None:
        super().__init__(description, f"PyTorch on {device}")
        check_device(device)
        self._device = torch.device(device)
        self._net = net.to(self._device).eval()
        self._outputs = signature_of(description).outputs

    def _run(self, planes: Planes) -> dict[str, Float32Array]:
        with torch.inference_mode():
            result = self._net(torch.from_numpy(planes).to(self._device))
            outputs = result if isinstance(result, tuple) else (result,)
            return {name: tensor.cpu().numpy() for name, tensor in zip(self._outputs, outputs, strict=True)}
