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
from milton.cluster.connection import LOCAL, Connection, Place
from milton.cluster.evaluation_wire import legal_to_wire
from milton.cluster.inference_servers import InferenceServers
from milton.cluster.remote_evaluator import RemoteEvaluator
from milton.config import Settings
from milton.games import core_game
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import load_evaluator
from milton.nets import NetDescription, Provenance
from milton.nets.checkpoint import save_checkpoint
from milton.nets.inputs import random_positions
from milton.nets.presets import preset
from milton.nets.registry import build_net

if TYPE_CHECKING:
    from ray.actor import ActorHandle

OBJECT_STORE_MB = 200
MAX_BATCH = 256
WARM_UP_S = 0.5
OWN, SERVED = "own network", "server"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    net: str
    crews: tuple[tuple[int, int], ...]  # workers, games of each
    num_turns: int
    turn_s: float


QUICK = Plan("connect-four-tower", ((1, 8),), 1, 0.3)
FULL = Plan("chess-tower-small", ((2, 64), (4, 16)), 8, 2.0)


def measure_inference_server(quick: bool) -> Iterator[Measurement]:
    """Evaluations a second in self-play, processor time for each, batches reached, bytes on the wire."""
    plan = QUICK if quick else FULL
    description = preset(plan.net)
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "net.safetensors"
        save_checkpoint(checkpoint, description, build_net(description, seed=1).state_dict(), Provenance())
        yield from _wire_sizes(checkpoint, description, plan.net)
        num_cpus = max(num_workers for num_workers, _ in plan.crews)
        place = Place(LOCAL, "the benchmark")
        with Connection(place, num_cpus=num_cpus, object_store_mb=OBJECT_STORE_MB) as connection:
            yield from _measure_crews(connection.ray, checkpoint, plan)


def _measure_crews(ray: Any, checkpoint: Path, plan: Plan) -> Iterator[Measurement]:
    wanted = {
        "network.family": "tower",
        "cluster.inference": "servers",
        "selfplay.inference_batch": MAX_BATCH,
    }
    servers = InferenceServers(Settings.profile("quick", wanted))
    servers.look_around(ray.nodes())
    for num_workers, num_games in plan.crews:
        own, served = (
            Team.start(ray, checkpoint, num_workers, num_games, server=server)
            for server in (None, servers.for_worker(""))
        )
        for _ in range(plan.num_turns):
            own.play(plan.turn_s)
            served.play(plan.turn_s)
        how = f"{plan.net}, {num_workers} × {num_games} games, {plan.num_turns} turns of {plan.turn_s:g} s"
        yield from _compared(own, served, how)
        own.end()
        served.end()
    servers.stop()


def _wire_sizes(checkpoint: Path, description: NetDescription, net: str) -> Iterator[Measurement]:
    """Of positions of random games; what Ray adds for each request is not counted."""
    packed = random_positions(description.spec, 256, seed=1)
    evaluation = load_evaluator(checkpoint, "cpu").evaluate_packed(packed)
    parts = (evaluation.policy_logits, evaluation.value, evaluation.wdl)
    for name, answer in (
        ("legal moves", legal_to_wire(evaluation, description.spec, packed)),
        ("all actions", parts),
    ):
        num_bytes = packed.nbytes + sum(part.nbytes for part in answer if part is not None)
        how = f"{net}, 256 random positions, question and answer"
        yield Measurement(f"wire with {name}", num_bytes / len(packed), "bytes/position", how)


@dataclass(slots=True)
class Team:
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
        cls,
        ray: Any,
        checkpoint: Path,
        num_workers: int,
        num_games: int,
        *,
        server: "ActorHandle[Any] | None",
    ) -> "Team":
        team = cls(ray, server)
        actor = ray.remote(BenchWorker).options(num_cpus=0)
        team.workers = [actor.remote(str(checkpoint), num_games, seed, server) for seed in range(num_workers)]
        ray.get([worker.play.remote(WARM_UP_S) for worker in team.workers])
        return team

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


def _compared(own: Team, served: Team, how: str) -> Iterator[Measurement]:
    for name, team in ((OWN, own), (SERVED, served)):
        yield Measurement(f"{name}: speed", team.speed, "evaluations/s", how)
        yield Measurement(f"{name}: processor", team.cpu_us, "µs/evaluation", "workers and server together")
    yield Measurement("server: batch", served.num_positions / served.num_batches, "positions", "mean")
    yield Measurement("server / own: speed", served.speed / own.speed, "times", "the lines above")


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
