"""Workers on one inference server against workers with a network of their own, on this machine.

Both kinds play side by side in one private Ray and take turns, so that what else the machine does meets both.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from milton import _core
from milton.bench.measurement import Measurement
from milton.cluster.connection import LOCAL, ClusterAddress, Connection
from milton.cluster.evaluation_wire import legal_to_wire
from milton.cluster.inference_servers import InferenceServers
from milton.cluster.remote_evaluator import RemoteEvaluator
from milton.config import Settings
from milton.games import core_game
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import load_evaluator
from milton.nets import NetDescription, Provenance, TowerSizes
from milton.nets.checkpoint import save_checkpoint
from milton.nets.inputs import random_positions
from milton.nets.presets import preset
from milton.nets.registry import build_net

if TYPE_CHECKING:
    from ray.actor import ActorHandle

OBJECT_STORE_MB = 200
MAX_BATCH = 256
WARM_UP_S = 0.5


# Costs next to nothing: what is left is the way to a server and back.
TINY = NetDescription("tower", "chess", "planes18", TowerSizes(blocks=1, filters=2))


@dataclass(frozen=True, slots=True)
class Setup:
    net: str  # a preset, or "tiny"
    num_workers: int
    num_games: int  # of each worker: the positions of a request
    num_turns: int = 8
    turn_s: float = 2.0

    @property
    def description(self) -> NetDescription:
        return TINY if self.net == "tiny" else preset(self.net)

    def __str__(self) -> str:
        turns = f"{self.num_turns} turns of {self.turn_s:g} s"
        return f"{self.net}, {self.num_workers} × {self.num_games} games, {turns}"


QUICK = (Setup("connect-four-tower", 1, 8, num_turns=1, turn_s=0.3),)
FULL = (
    Setup("tiny", 2, 64),
    Setup("chess-tower-small", 4, 16),
    Setup("chess-tower-small", 2, 64),
    Setup("chess-tower", 2, 64),
)


def measure_inference_server(quick: bool) -> Iterator[Measurement]:
    """Evaluations a second in self-play, processor time for each, batches reached, bytes on the wire."""
    setups = QUICK if quick else FULL
    num_cpus = max(setup.num_workers for setup in setups)
    target = ClusterAddress(LOCAL, "the benchmark")
    with (
        tempfile.TemporaryDirectory() as folder,
        Connection(target, num_cpus=num_cpus, object_store_mb=OBJECT_STORE_MB) as connection,
    ):
        checkpoints = {setup.net: _write(setup, Path(folder)) for setup in setups}
        yield from _wire_sizes(checkpoints[setups[-1].net], setups[-1].net)
        servers = InferenceServers(_settings())
        servers.start_missing(connection.ray.nodes())
        for setup in setups:
            own, served = (
                WorkerGroup.start(connection.ray, checkpoints[setup.net], setup, server)
                for server in (None, servers.for_worker(""))
            )
            for _ in range(setup.num_turns):
                own.play(setup.turn_s)
                served.play(setup.turn_s)
            yield from _compared(own, served, setup)
            own.end()
            served.end()


def _settings() -> Settings:
    wanted = {
        "network.family": "tower",
        "cluster.inference": "servers",
        "selfplay.inference_batch": MAX_BATCH,
    }
    return Settings.profile("any-game-quick", wanted)


def _write(setup: Setup, folder: Path) -> Path:
    path = folder / f"{setup.net}.safetensors"
    net = build_net(setup.description, seed=1)
    save_checkpoint(path, setup.description, net.state_dict(), Provenance())
    return path


def _wire_sizes(checkpoint: Path, net: str) -> Iterator[Measurement]:
    """Of positions of random games; what Ray adds for each request is not counted."""
    evaluator = load_evaluator(checkpoint, "cpu")
    spec = evaluator.description.spec
    packed = random_positions(spec, 256, seed=1)
    evaluation = evaluator.evaluate_packed(packed)
    everything = (evaluation.policy_logits, evaluation.value, evaluation.wdl)
    answers = {"legal moves": legal_to_wire(evaluation, spec, packed), "all actions": everything}
    for name, answer in answers.items():
        num_bytes = packed.nbytes + sum(part.nbytes for part in answer if part is not None)
        how = f"{net}, {len(packed)} random positions, question and answer"
        yield Measurement(f"wire with {name}", num_bytes / len(packed), "bytes/position", how)


@dataclass(slots=True)
class WorkerGroup:
    """Workers of one kind and what they did so far."""

    ray: Any
    server: "ActorHandle[Any] | None"
    workers: "list[ActorHandle[Any]]" = field(default_factory=list)
    num_positions: int = 0
    num_batches: float = 0.0
    seconds: float = 0.0
    cpu_s: float = 0.0

    @classmethod
    def start(
        cls, ray: Any, checkpoint: Path, setup: Setup, server: "ActorHandle[Any] | None"
    ) -> "WorkerGroup":
        group = cls(ray, server)
        actor = ray.remote(BenchWorker).options(num_cpus=0)
        group.workers = [
            actor.remote(str(checkpoint), setup.num_games, seed, server) for seed in range(setup.num_workers)
        ]
        ray.get([worker.play.remote(WARM_UP_S) for worker in group.workers])
        return group

    def play(self, seconds: float) -> None:
        before = self._server_figures()
        results = self.ray.get([worker.play.remote(seconds) for worker in self.workers])
        after = self._server_figures()
        self.seconds += seconds
        self.num_positions += sum(count for count, _ in results)
        self.cpu_s += sum(cpu_s for _, cpu_s in results) + after["cpu_s"] - before["cpu_s"]
        self.num_batches += after["num_batches"] - before["num_batches"]

    def _server_figures(self) -> dict[str, float]:
        if self.server is None:
            return {"cpu_s": 0.0, "num_batches": 0.0}
        figures: dict[str, float] = self.ray.get(self.server.figures.remote())
        return figures

    @property
    def speed(self) -> float:
        return self.num_positions / self.seconds

    @property
    def cpu_us(self) -> float:
        return 1e6 * self.cpu_s / self.num_positions

    def end(self) -> None:
        for worker in self.workers:
            self.ray.kill(worker)


def _compared(own: WorkerGroup, served: WorkerGroup, setup: Setup) -> Iterator[Measurement]:
    how = str(setup)
    for name, group in (("own network", own), ("server", served)):
        yield Measurement(f"{name}: speed", group.speed, "evaluations/s", how)
        yield Measurement(f"{name}: processor", group.cpu_us, "µs/evaluation", f"{how}; workers and server")
    yield Measurement("server: batch", served.num_positions / served.num_batches, "positions", f"{how}; mean")
    yield Measurement("server / own: speed", served.speed / own.speed, "times", how)
    yield Measurement("server / own: processor", served.cpu_us / own.cpu_us, "times", how)


class BenchWorker:
    """An actor that plays games against itself as milton.selfplay does, and counts evaluations."""

    def __init__(self, checkpoint: str, num_games: int, seed: int, server: "ActorHandle[Any] | None") -> None:
        path = Path(checkpoint)
        self._evaluator = load_evaluator(path, "cpu", 1) if server is None else RemoteEvaluator(server, path)
        spec = self._evaluator.description.spec
        self._batch = core_game(spec.name).SelfPlayBatch(_core.SelfPlaySettings(), num_games, seed)
        self._packed = np.empty((num_games, spec.packed_bytes), np.uint8)

    def play(self, seconds: float) -> tuple[int, float]:
        """Evaluations and processor seconds."""
        end, started_s, count = time.monotonic() + seconds, time.process_time(), 0
        while time.monotonic() < end:
            self._batch.gather(self._packed)
            self._batch.apply(*evaluate_leaves(self._evaluator, self._packed))
            count += len(self._packed)
        return count, time.process_time() - started_s
