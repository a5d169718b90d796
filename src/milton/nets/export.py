"""Checkpoint → ONNX, one self-contained file with a free batch size. Knows nothing about running it.

Dense networks read `planes` and give `policy` (logits of all actions; the attack family has none) and either
`value` or `wdl` (logits). Sparse networks read `features`, `parts` and, if they know any, `contexts`, and
give `wdl` and `policy` logits.
"""

import io
import warnings
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from milton.nets.checkpoint import Checkpoint, load_checkpoint
from milton.nets.description import NetDescription
from milton.nets.inputs import random_positions, sparse_inputs
from milton.nets.signature import signature_of
from milton.rundir.atomic import write_bytes

OPSET = 17  # the newest that every runtime we target has had for years, the browser's included
EXAMPLE_BATCH = 2


def export_onnx(checkpoint_path: Path, output: Path) -> None:
    """Writes the checkpoint's network as one ONNX file, atomically, its provenance embedded."""
    checkpoint = load_checkpoint(checkpoint_path)
    content = onnx_bytes(checkpoint, checkpoint_name=checkpoint_path.name)
    write_bytes(output, content)


def onnx_bytes(checkpoint: Checkpoint, *, checkpoint_name: str = "") -> bytes:
    model = onnx.load_from_string(_trace(checkpoint.net, checkpoint.description))
    metadata = checkpoint.description.to_metadata("checkpoint")
    metadata["provenance"] = checkpoint.info.provenance.model_dump_json()
    metadata["checkpoint_sha256"] = checkpoint.sha256
    metadata["checkpoint_name"] = checkpoint_name
    onnx.helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


def _trace(net: nn.Module, description: NetDescription) -> bytes:
    signature = signature_of(description)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # The TorchScript exporter is the one that writes a single file and needs no further package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.eval(),
            _example_inputs(description),
            buffer,  # type: ignore[arg-type]  # any binary file will do for this exporter
            dynamo=False,
            opset_version=OPSET,
            input_names=list(signature.inputs),
            output_names=list(signature.outputs),
            dynamic_axes=_dynamic_axes(description),
        )
    return buffer.getvalue()


def _example_inputs(description: NetDescription) -> tuple[Tensor, ...]:
    if not description.is_sparse:
        return (torch.zeros(EXAMPLE_BATCH, *description.plane_shape()),)
    packed = random_positions(description.spec, EXAMPLE_BATCH, seed=0)
    inputs = sparse_inputs(description.spec, description.encoder, packed)
    return tuple(torch.from_numpy(array).long() for array in inputs)


def _dynamic_axes(description: NetDescription) -> dict[str, dict[int, str]]:
    signature = signature_of(description)
    axes = {name: {0: "batch"} for name in (*signature.inputs, *signature.outputs)}
    if description.is_sparse:
        axes["features"][1] = "active"
        for name in axes.keys() & {"parts", "contexts", "policy"}:
            axes[name][1] = "moves"
    return axes
