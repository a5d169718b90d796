"""A Ray actor that owns dense networks and evaluates the leaves of many workers together.

Everything that crosses the wire is text, numbers and arrays; a network is named by its checkpoint's SHA-256.
Knows no search and no games in progress: `remote_evaluator` is the other end. Imported without Ray, too.
"""

import hashlib
import tempfile
import threading
import time
from collections import OrderedDict
from dataclasses import asdict
from pathlib import Path

import numpy as np

from milton.cluster.evaluation_wire import WireEvaluation, legal_to_wire
from milton.cluster.leaf_batches import BatchFunction, BatchLimits, LeafBatcher, Rows
from milton.errors import ArgumentError, CheckpointError, MiltonError
from milton.inference.evaluator import Evaluator
from milton.inference.load import Device, load_evaluator
from milton.nets.inputs import PackedPositions, Planes

# What an answer opens with. The rest is an evaluation's arrays, a message, or nothing.
ANSWERED = "answered"
REFUSED = "refused"
UNKNOWN_NETWORK = "unknown network"
Reply = tuple[str | Rows | None, ...]

# Workers change to a new champion one after the other, and an arena needs two networks.
MAX_NETWORKS = 4
MAX_REQUEST_ROWS = 65_536
# Requests beyond these wait in Ray's queue; a batch rarely has so many.
MAX_WAITING = 128


class ServedNetwork:
    """One network and the two ways to ask it, each a function of whole batches."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._spec = evaluator.description.spec
        # Requests share a batch if they name the same object, and a bound method is a new one every time.
        self._on_packed, self._on_planes = self._evaluate_packed, self._evaluate_planes

    def function_for(self, rows: Rows) -> BatchFunction:
        """Packed positions are uint8, planes float32; ArgumentError for anything that is neither."""
        if rows.dtype == np.uint8:
            _check(rows, np.dtype(np.uint8), (self._spec.packed_bytes,))
            return self._on_packed
        _check(rows, np.dtype(np.float32), self.evaluator.description.plane_shape())
        return self._on_planes

    def _evaluate_packed(self, packed: PackedPositions) -> WireEvaluation:
        return legal_to_wire(self.evaluator.evaluate_packed(packed), self._spec, packed)

    def _evaluate_planes(self, planes: Planes) -> WireEvaluation:
        evaluation = self.evaluator.evaluate(planes)
        return evaluation.policy_logits, evaluation.value, evaluation.wdl


class InferenceServer:
    """An actor with a thread for each request that waits, one that evaluates, and MAX_WAITING in all.

    Threads instead of asyncio, because they take less processor time (docs/experiments/2026-11-cluster.md).
    """

    def __init__(self, max_batch: int, max_wait_s: float, device: Device, threads: int) -> None:
        self._device = device
        self._threads = threads
        self._batcher = LeafBatcher(BatchLimits(max_batch, max_wait_s))
        self._networks: OrderedDict[str, ServedNetwork] = OrderedDict()  # oldest use first
        self._finding = threading.Lock()  # guards _networks, for moments
        self._loading = threading.Lock()  # held while a network is read, which takes seconds

    def load(self, sha256: str, checkpoint: bytes) -> Reply:
        """Takes the network of a checkpoint file over. One that is here already is kept."""
        with self._loading:
            if self._find(sha256) is not None:
                return (ANSWERED,)
            try:
                network = ServedNetwork(self._read(sha256, checkpoint))
            except MiltonError as error:  # translated: errors cross the wire as replies
                return (REFUSED, str(error))
            with self._finding:
                self._networks[sha256] = network
                if len(self._networks) > MAX_NETWORKS:
                    self._networks.popitem(last=False)
        return (ANSWERED,)

    def evaluate(self, sha256: str, rows: Rows) -> Reply:
        """Packed positions or planes -> the parts of a WireEvaluation: legal moves only, or all actions."""
        network = self._find(sha256)
        if network is None:
            with self._loading:  # it may just be read
                network = self._find(sha256)
        if network is None:
            return (UNKNOWN_NETWORK,)
        try:
            return (ANSWERED, *self._batcher.submit(network.function_for(rows), rows).result())
        except MiltonError as error:  # translated, as above
            return (REFUSED, str(error))

    def figures(self) -> dict[str, float]:
        """BatchFigures by name, and the processor time of the whole server."""
        return {**asdict(self._batcher.figures), "cpu_s": time.process_time()}

    def backends(self) -> dict[str, str]:
        """What runs each network that is loaded, by SHA-256."""
        with self._finding:
            return {sha256: network.evaluator.backend for sha256, network in self._networks.items()}

    def _find(self, sha256: str) -> ServedNetwork | None:
        with self._finding:
            network = self._networks.get(sha256)
            if network is not None:
                self._networks.move_to_end(sha256)
            return network

    def _read(self, sha256: str, checkpoint: bytes) -> Evaluator:
        actual = hashlib.sha256(checkpoint).hexdigest()
        if actual != sha256:
            raise CheckpointError(f"expected a network file with the SHA-256 {sha256!r}, got {actual!r}")
        with tempfile.TemporaryDirectory(prefix="milton-server-") as folder:
            path = Path(folder) / "network.safetensors"
            path.write_bytes(checkpoint)
            return load_evaluator(path, self._device, self._threads)


def _check(rows: Rows, dtype: np.dtype[np.generic], row_shape: tuple[int, ...]) -> None:
    fits = rows.dtype == dtype and rows.shape[1:] == row_shape and 1 <= len(rows) <= MAX_REQUEST_ROWS
    if not fits:
        raise ArgumentError(
            f"expected {dtype} of shape [1 to {MAX_REQUEST_ROWS}, {', '.join(map(str, row_shape))}], "
            f"got {rows.dtype}{rows.shape}"
        )
