"""The inference servers of a cluster as its driver sees them: where they run and which worker asks which.

They are for dense networks. Whether they pay is a question of the hardware (docs/cluster.md has the figures):
on processors a network in every worker is faster, so by default only GPUs get servers.
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
class ServerPlace:
    """Where a server runs: a GPU of a node, or processors of a node without one."""

    node_id: str
    index: int  # on that node
    num_gpus: int
    num_cpus: int


def choose_places(nodes: Iterable[Node], inference: str) -> list[ServerPlace]:
    """`inference` is the setting cluster.inference: "auto", "local" or "servers"."""
    if inference == "local":
        return []
    alive = [node for node in nodes if node["Alive"]]
    places = [
        ServerPlace(node["NodeID"], index, num_gpus=1, num_cpus=0)
        for node in alive
        for index in range(int(node["Resources"].get("GPU", 0)))
    ]
    if places or inference == "auto" or not alive:
        return places
    largest = max(alive, key=_num_cpus)
    return [ServerPlace(largest["NodeID"], 0, num_gpus=0, num_cpus=max(1, _num_cpus(largest)))]


def _num_cpus(node: Node) -> int:
    return int(node["Resources"].get("CPU", 0))


class InferenceServers:
    """Starts servers where there is a place for one, ends those whose node is gone. For one thread."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._servers: dict[ServerPlace, ActorHandle[Any]] = {}
        self._num_workers: dict[ServerPlace, int] = {}
        self._network: tuple[str, ObjectRef[bytes]] | None = None

    @property
    def places(self) -> list[ServerPlace]:
        return list(self._servers)

    def look_around(self, nodes: Iterable[Node]) -> None:
        """Call it when nodes may have come or gone, before workers are started there."""
        wanted = choose_places(nodes, self._settings.cluster.inference)
        for place in [place for place in self._servers if place not in wanted]:
            self._end(place)
        for place in [place for place in wanted if place not in self._servers]:
            self._servers[place] = _start(place, self._settings)
            self._num_workers[place] = 0
            self._hand_over(place)

    def update(self, sha256: str, checkpoint: "ObjectRef[bytes]") -> None:
        """The network that workers will ask for next, put into the object store once by the caller."""
        self._network = (sha256, checkpoint)
        for place in self._servers:
            self._hand_over(place)

    def for_worker(self, node_id: str) -> "ActorHandle[Any] | None":
        """The server of a new worker: on its own node if there is one, else one with few workers."""
        if not self._servers:
            return None
        place = min(self._servers, key=lambda place: (place.node_id != node_id, self._num_workers[place]))
        self._num_workers[place] += 1
        return self._servers[place]

    def stop(self) -> None:
        for place in self.places:
            self._end(place)

    def _hand_over(self, place: ServerPlace) -> None:
        if self._network is not None:
            # Not waited for: a server that misses it is offered the network by the first worker that asks.
            self._servers[place].load.remote(*self._network)

    def _end(self, place: ServerPlace) -> None:
        import ray

        ray.kill(self._servers.pop(place))
        del self._num_workers[place]


def _start(place: ServerPlace, settings: Settings) -> "ActorHandle[Any]":
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    actor: Any = ray.remote(InferenceServer)
    placed = actor.options(
        num_gpus=place.num_gpus,
        num_cpus=0,  # workers have the cores; a server on processors shares them
        max_restarts=-1,
        max_task_retries=0,  # whoever asks wants to know, and asks again
        max_concurrency=MAX_WAITING,
        scheduling_strategy=NodeAffinitySchedulingStrategy(place.node_id, soft=False),
    )
    handle: ActorHandle[Any] = placed.remote(
        settings.selfplay.inference_batch,
        settings.cluster.inference_wait_ms / 1000,
        "auto" if place.num_gpus else "cpu",
        max(1, place.num_cpus),
    )
    return handle
