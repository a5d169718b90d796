"""Names of a network's inputs and outputs, the same in PyTorch and ONNX. Torch-free."""

from dataclasses import dataclass

from milton.nets.description import NetDescription
from milton.nets.sizes import TowerSizes


@dataclass(frozen=True, slots=True)
class OnnxSignature:
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def signature_of(description: NetDescription) -> OnnxSignature:
    """Names of the inputs and outputs, in the order of the network's forward."""
    if description.is_sparse:
        has_contexts = description.spec.sparse_encoder(description.encoder).num_contexts > 0
        inputs = ("features", "parts", "contexts") if has_contexts else ("features", "parts")
        return OnnxSignature(inputs, ("wdl", "policy"))
    if description.family == "attack":
        return OnnxSignature(("planes",), ("value",))
    sizes = description.sizes
    by_outcome = isinstance(sizes, TowerSizes) and sizes.value_head == "wdl"
    return OnnxSignature(("planes",), ("policy", "wdl" if by_outcome else "value"))
