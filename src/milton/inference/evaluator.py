"""What every dense evaluator offers, and the part they share. Knows no backend and no search.

A backend only turns planes into the network's named outputs; the viewpoint, the win/draw/loss arithmetic and
the encoding of packed positions live here once.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from milton.errors import ArgumentError
from milton.nets import NetDescription
from milton.nets.inputs import PackedPositions, Planes, encode_planes

Float32Array = npt.NDArray[np.float32]
_LARGEST_LOGIT = 1e30  # the difference of two is still a float32
Viewpoint = Literal["side_to_move", "first_player"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A network's opinion of B positions. Values are seen from the evaluator's `viewpoint`."""

    policy_logits: Float32Array | None  # [B, actions], legal or not; None for networks without a policy
    value: Float32Array  # [B] in [-1, 1]
    wdl: Float32Array | None  # [B, 3] probabilities of win, draw, loss; None without such a head


class Evaluator(Protocol):
    """Evaluates dense networks in batches. Safe to call from several threads, one batch at a time each."""

    @property
    def description(self) -> NetDescription: ...

    @property
    def viewpoint(self) -> Viewpoint: ...

    @property
    def backend(self) -> str:
        """For people: which runtime on which device."""

    def evaluate(self, planes: Planes) -> Evaluation:
        """planes: float32 [B, planes, height, width], B ≥ 1."""

    def evaluate_packed(self, packed: PackedPositions) -> Evaluation:
        """packed: uint8 [B, packed_bytes], B ≥ 1."""


class DescribedEvaluator:
    """The part of an Evaluator that its network's description answers."""

    def __init__(self, description: NetDescription) -> None:
        self._description = description

    @property
    def description(self) -> NetDescription:
        return self._description

    @property
    def viewpoint(self) -> Viewpoint:
        return viewpoint_of(self._description)


class DenseEvaluator(DescribedEvaluator, ABC):
    """An Evaluator that lacks only the backend's `_run`."""

    def __init__(self, description: NetDescription, backend: str) -> None:
        super().__init__(description)
        self._plane_shape = description.plane_shape()
        self._backend = backend

    @property
    def backend(self) -> str:
        return self._backend

    def evaluate(self, planes: Planes) -> Evaluation:
        if planes.dtype != np.float32 or planes.shape[1:] != self._plane_shape or len(planes) == 0:
            raise ArgumentError(
                f"expected float32 planes of shape [B, {', '.join(map(str, self._plane_shape))}], "
                f"got {planes.dtype}{planes.shape}"
            )
        outputs = self._run(planes)
        policy_logits = outputs.get("policy")
        if "wdl" not in outputs:
            return Evaluation(policy_logits, _finite(outputs["value"], 1.0), None)
        wdl = softmax(_finite(outputs["wdl"], _LARGEST_LOGIT))
        return Evaluation(policy_logits, wdl[:, 0] - wdl[:, 2], wdl)

    def evaluate_packed(self, packed: PackedPositions) -> Evaluation:
        return self.evaluate(encode_planes(self._description.spec, self._description.encoder, packed))

    @abstractmethod
    def _run(self, planes: Planes) -> dict[str, Float32Array]:
        """The network's outputs by the names of nets.signature.signature_of."""


def viewpoint_of(description: NetDescription) -> Viewpoint:
    return "first_player" if description.family == "attack" else "side_to_move"


def _finite(outputs: Float32Array, largest: float) -> Float32Array:
    """Large weights overflow: what is no number then says nothing, so it counts as 0."""
    return np.clip(np.nan_to_num(outputs), -largest, largest)


def softmax(logits: Float32Array) -> Float32Array:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Float32Array = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities
