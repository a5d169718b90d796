"""An Evaluator without a network of its own: it asks an inference server. Knows no search.

A server that was restarted has forgotten its networks, so a worker keeps the checkpoint's file and offers it
when the server does not know it; the driver does so first, once for each server (`InferenceServers.update`).
"""

import hashlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from milton.cluster.evaluation_wire import WireEvaluation, checked, legal_from_wire
from milton.cluster.inference_server import REFUSED, UNKNOWN_NETWORK
from milton.cluster.leaf_batches import Rows
from milton.errors import ArgumentError, InferenceServerError
from milton.inference.evaluator import DescribedEvaluator, Evaluation, Evaluator
from milton.inference.load import Device, EvaluatorFactory, load_evaluator
from milton.nets import read_checkpoint_info
from milton.nets.inputs import PackedPositions, Planes

if TYPE_CHECKING:
    from ray import ObjectRef
    from ray.actor import ActorHandle

PATIENCE_S = 60.0  # a server that is restarted imports torch and reads the network: some ten seconds
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0


class RemoteEvaluator(DescribedEvaluator):
    """Asks `server` for the network in `checkpoint`, a file that must stay where it is while this is used.

    When the server is gone for good or does not answer within `patience_s`, `fallback` makes a network to
    continue with; without one InferenceServerError is raised and the next call asks the server again.
    """

    def __init__(
        self,
        server: "ActorHandle[Any]",
        checkpoint: Path,
        *,
        patience_s: float = PATIENCE_S,
        fallback: Callable[[], Evaluator] | None = None,
    ) -> None:
        super().__init__(read_checkpoint_info(checkpoint).description)
        self._server = server
        self._checkpoint = checkpoint
        self._sha256 = hashlib.sha256(checkpoint.read_bytes()).hexdigest()
        self._patience_s = patience_s
        self._fallback = fallback
        self._own: Evaluator | None = None

    @property
    def backend(self) -> str:
        if self._own is not None:
            return f"{self._own.backend}, in place of an inference server that was lost"
        return "an inference server"

    def evaluate(self, planes: Planes) -> Evaluation:
        return self._evaluate(
            planes,
            lambda parts: checked(Evaluation(*parts), self._description.spec, len(planes)),
            lambda own: own.evaluate(planes),
        )

    def evaluate_packed(self, packed: PackedPositions) -> Evaluation:
        """Actions that are not legal get −inf: their logits stay with the server."""
        return self._evaluate(
            packed,
            lambda parts: legal_from_wire(parts, self._description.spec, packed),
            lambda own: own.evaluate_packed(packed),
        )

    def _evaluate(
        self,
        rows: Rows,
        read_answer: Callable[[WireEvaluation], Evaluation],
        evaluate_alone: Callable[[Evaluator], Evaluation],
    ) -> Evaluation:
        if self._own is None:
            try:
                return read_answer(self._ask(rows))
            except InferenceServerError:
                if self._fallback is None:
                    raise
                self._own = self._fallback()
        return evaluate_alone(self._own)

    def _ask(self, rows: Rows) -> WireEvaluation:
        """Asks until there is an answer or patience ends. A server that is restarted keeps its handle."""
        deadline = time.monotonic() + self._patience_s
        pause_s = FIRST_PAUSE_S
        while True:
            reply = self._wait("evaluate", self._server.evaluate.remote(self._sha256, rows), deadline)
            if reply is None:
                time.sleep(max(0.0, min(pause_s, deadline - time.monotonic())))
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            elif reply[0] == UNKNOWN_NETWORK:
                self._offer(deadline)
            else:
                _, logits, value, wdl = reply
                return logits, value, wdl

    def _offer(self, deadline: float) -> None:
        content = self._checkpoint.read_bytes()
        if hashlib.sha256(content).hexdigest() != self._sha256:
            raise InferenceServerError(
                f"{self._checkpoint}: expected the network with the SHA-256 {self._sha256!r}, which an "
                "inference server asks for, but the file has changed"
            )
        self._wait("load", self._server.load.remote(self._sha256, content), deadline)

    def _wait(self, method: str, answer: "ObjectRef[Any]", deadline: float) -> Any:
        """A Reply that is not a refusal, or None from a server that is just being restarted."""
        import ray
        from ray.exceptions import ActorDiedError, ActorUnavailableError, GetTimeoutError, RayTaskError

        left_s = deadline - time.monotonic()
        try:
            if left_s <= 0:
                raise GetTimeoutError
            reply = ray.get(answer, timeout=left_s)
        except ActorUnavailableError:
            return None
        except GetTimeoutError as error:
            raise InferenceServerError(
                f"expected an answer of the inference server within {self._patience_s:g} s, got none"
            ) from error
        except (ActorDiedError, RayTaskError) as error:
            last_line = str(error).strip().splitlines()[-1]
            raise InferenceServerError(f"the inference server failed at {method!r}: {last_line}") from error
        if reply[0] == REFUSED:
            raise ArgumentError(f"the inference server refused {method!r}: {reply[1]}")
        return reply


def remote_evaluators(
    server: "ActorHandle[Any]", *, patience_s: float = PATIENCE_S, fall_back: bool = True
) -> EvaluatorFactory:
    """What `open_source` takes as `make_evaluator`: every network is evaluated by `server`.

    `fall_back` lets a worker that lost the server read the network itself, until the next one comes.
    """

    def make(checkpoint: Path, device: Device, threads: int) -> Evaluator:
        own = partial(load_evaluator, checkpoint, device, threads) if fall_back else None
        return RemoteEvaluator(server, checkpoint, patience_s=patience_s, fallback=own)

    return make
