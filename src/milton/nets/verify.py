"""Compares an ONNX file with the PyTorch network it was exported from, on real positions."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import torch

from milton.errors import CheckpointError, MiltonError
from milton.nets.checkpoint import Checkpoint, load_checkpoint
from milton.nets.description import NetDescription, field_of
from milton.nets.inputs import PackedPositions, encode_planes, random_positions, sparse_inputs
from milton.nets.signature import signature_of
from milton.nets.verification import Verification

BATCH_SIZE = 64
Outputs = dict[str, npt.NDArray[np.float32]]


def verify_onnx(
    path: Path, checkpoint_path: Path | None = None, *, num_positions: int = 256, seed: int = 1
) -> Verification:
    """Runs both on positions of random games. Without `checkpoint_path` the checkpoint named in the file is
    looked for beside it; either way its SHA-256 must be the one the file was exported from."""
    session = _open_session(path)
    metadata = dict(session.get_modelmeta().custom_metadata_map)
    checkpoint = load_checkpoint(checkpoint_path or _named_beside(path, metadata))
    expected_sha256 = field_of(metadata, "checkpoint_sha256", str(path))
    if checkpoint.sha256 != expected_sha256:
        raise CheckpointError(
            f"{path}: expected the checkpoint with SHA-256 {expected_sha256[:64]}, got {checkpoint.sha256}"
        )
    _check_signature(session, checkpoint.description, path)
    packed = random_positions(checkpoint.description.spec, num_positions, seed)
    try:
        return compare(session, checkpoint, packed)
    except MiltonError:  # not translated: it says already what is wrong
        raise
    except Exception as error:  # the runtime's own error classes have no common base
        first = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{path}: cannot be run on positions of its game: {first}") from error


def compare(session: Any, checkpoint: Checkpoint, packed: PackedPositions) -> Verification:
    """`session` is an onnxruntime.InferenceSession."""
    worst = dict.fromkeys(signature_of(checkpoint.description).outputs, 0.0)
    for begin in range(0, len(packed), BATCH_SIZE):
        inputs = network_inputs(checkpoint.description, packed[begin : begin + BATCH_SIZE])
        expected = run_torch(checkpoint, inputs)
        found = dict(zip(expected, session.run(list(expected), inputs), strict=True))
        for name in worst:
            worst[name] = max(worst[name], _max_difference(expected[name], found[name]))
    return Verification(len(packed), worst)


def network_inputs(description: NetDescription, packed: PackedPositions) -> dict[str, npt.NDArray[Any]]:
    """The inputs of the network as its ONNX form names and types them."""
    spec = description.spec
    if not description.is_sparse:
        return {"planes": encode_planes(spec, description.encoder, packed)}
    names = signature_of(description).inputs
    arrays = sparse_inputs(spec, description.encoder, packed)
    return {name: array.astype(np.int64) for name, array in zip(names, arrays, strict=True)}


def run_torch(checkpoint: Checkpoint, inputs: dict[str, npt.NDArray[Any]]) -> Outputs:
    signature = signature_of(checkpoint.description)
    with torch.inference_mode():
        result = checkpoint.net(*(torch.from_numpy(inputs[name]) for name in signature.inputs))
    outputs = result if isinstance(result, tuple) else (result,)
    return {name: tensor.numpy() for name, tensor in zip(signature.outputs, outputs, strict=True)}


def _check_signature(session: Any, description: NetDescription, path: Path) -> None:
    """Refuses a file whose inputs or outputs are not those of the network."""
    signature = signature_of(description)
    found = {entry.name for entry in session.get_inputs()}, {entry.name for entry in session.get_outputs()}
    if found != (set(signature.inputs), set(signature.outputs)):
        expected = f"inputs {sorted(signature.inputs)} and outputs {sorted(signature.outputs)}"
        raise CheckpointError(
            f"{path}: expected {expected}, got {str([sorted(names) for names in found])[:300]}"
        )


def _open_session(path: Path) -> Any:
    if not path.is_file():
        raise CheckpointError(f"{path}: expected an ONNX file")
    try:
        return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own error classes have no common base
        first = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{path}: not an ONNX file that can be run: {first}") from error


def _named_beside(path: Path, metadata: dict[str, str]) -> Path:
    name = field_of(metadata, "checkpoint_name", str(path))
    candidate = path.parent / Path(name).name  # the name alone: a file must not point elsewhere
    if not name or not candidate.is_file():
        raise CheckpointError(
            f"{path}: expected its checkpoint {name!r} beside it; name it with --checkpoint"
        )
    return candidate


def _max_difference(expected: npt.NDArray[np.float32], found: npt.NDArray[np.float32]) -> float:
    if expected.shape != found.shape:
        return float("inf")
    padding = np.isneginf(expected)
    if not np.array_equal(padding, np.isneginf(found)):
        return float("inf")
    difference = np.abs(np.where(padding, 0, expected) - np.where(padding, 0, found))
    return float("inf") if np.isnan(difference).any() else float(difference.max(initial=0.0))
