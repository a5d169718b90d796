"""The inference servers of a cluster as its driver sees them: where they run and which worker asks which.

They are for dense networks. On CPUs a network in every worker is cheaper, so by default only GPUs get servers
(docs/experiments/2026-11-cluster.md).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from milton.config import Settings

from .inference_server import MAX_WAITING, InferenceServer

if TYPE_CHECKING:
    from ray import ObjectRef
    from ray.actor import ActorHandle

# As `ray.nodes()` describes a node.
Node = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ServerSlot:
    """Where a server runs: a GPU of a node, or processors of a node without one."""

    node_id: str
    index: int  # on that node
    num_gpus: int
    num_cpus: int


def choose_slots(nodes: Iterable[Node], inference: str) -> list[ServerSlot]:
    """`inference` is the setting cluster.inference: "auto", "local" or "servers"."""
    if inference == "local":
        return []
    alive = [node for node in nodes if node["Alive"]]
    slots = [
        ServerSlot(node["NodeID"], index, num_gpus=1, num_cpus=0)
        for node in alive
        for index in range(int(node["Resources"].get("GPU", 0)))
    ]
    if slots or inference == "auto" or not alive:
        return slots
    largest = max(alive, key=_num_cpus)
    return [ServerSlot(largest["NodeID"], 0, num_gpus=0, num_cpus=max(1, _num_cpus(largest)))]


def _num_cpus(node: Node) -> int:
    return int(node["Resources"].get("CPU", 0))


class InferenceServers:
    """Starts servers where there is room for one, ends those whose node is gone. For one thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._servers: dict[ServerSlot, ActorHandle[Any]] = {}
        self._num_workers: dict[ServerSlot, int] = {}
        self._network: tuple[str, ObjectRef[bytes]] | None = None

    @property
    def slots(self) -> list[ServerSlot]:
        return list(self._servers)

    def start_missing(self, nodes: Iterable[Node]) -> None:
        """Call it when nodes may have come or gone, before workers are started there."""
        wanted = choose_slots(nodes, self._settings.cluster.inference)
        for slot in [slot for slot in self._servers if slot not in wanted]:
            self._end(slot)
        for slot in [slot for slot in wanted if slot not in self._servers]:
            self._servers[slot] = _start(slot, self._settings)
            self._num_workers[slot] = 0
            self._hand_over(slot)

    def update(self, sha256: str, checkpoint: "ObjectRef[bytes]") -> None:
        """The network that workers will ask for next, put into the object store once by the caller."""
        self._network = (sha256, checkpoint)
        for slot in self._servers:
            self._hand_over(slot)

    def for_worker(self, node_id: str) -> "ActorHandle[Any] | None":
        """The server of a new worker: on its own node if there is one, else one with few workers."""
        if not self._servers:
            return None
        slot = min(self._servers, key=lambda slot: (slot.node_id != node_id, self._num_workers[slot]))
        self._num_workers[slot] += 1
        return self._servers[slot]

    def stop(self) -> None:
        for slot in self.slots:
            self._end(slot)

    def _hand_over(self, slot: ServerSlot) -> None:
        if self._network is not None:
            # Not waited for: a server that misses it is offered the network by the first worker that asks.
            self._servers[slot].load.remote(*self._network)

    def _end(self, slot: ServerSlot) -> None:
        import ray

        ray.kill(self._servers.pop(slot))
        del self._num_workers[slot]


def _start(slot: ServerSlot, settings: Settings) -> "ActorHandle[Any]":
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    actor: Any = ray.remote(InferenceServer)
    placed = actor.options(
        num_gpus=slot.num_gpus,
        num_cpus=0,  # workers have the cores; a server on processors shares them
        max_restarts=-1,
        max_task_retries=0,  # whoever asks wants to know, and asks again
        max_concurrency=MAX_WAITING,
        scheduling_strategy=NodeAffinitySchedulingStrategy(slot.node_id, soft=False),
    )
    handle: ActorHandle[Any] = placed.remote(
        settings.selfplay.inference_batch,
        settings.cluster.inference_wait_ms / 1000,
        "auto" if slot.num_gpus else "cpu",
        max(1, slot.num_cpus),
    )
    return handle
