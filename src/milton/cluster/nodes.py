"""Which nodes a cluster has and where workers should be. Pure: figures in, slots out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    node_id: str
    name: str
    num_cpus: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one worker."""

    node: Node
    index: int  # of the workers on that node
    threads: int

    @property
    def key(self) -> tuple[str, int]:
        return self.node.node_id, self.index


def alive_nodes(entries: Iterable[Mapping[str, Any]]) -> list[Node]:
    """From what `ray.nodes()` says; nodes without cores to give have nothing to do with us."""
    nodes = []
    for entry in entries:
        num_cpus = int(entry.get("Resources", {}).get("CPU", 0))
        if entry["Alive"] and num_cpus > 0:
            nodes.append(Node(entry["NodeID"], _name_of(entry), num_cpus))
    return sorted(nodes, key=lambda node: (node.name, node.node_id))


def _name_of(entry: Mapping[str, Any]) -> str:
    """The name given to the node; without one Ray repeats the address, and a host's name says more."""
    name, address = str(entry.get("NodeName", "")), str(entry.get("NodeManagerAddress", ""))
    return name if name and name != address else str(entry.get("NodeManagerHostname", "") or address)


def plan(nodes: Iterable[Node], num_workers: int, worker_threads: int) -> list[Slot]:
    """Places for `num_workers` (0: one a node), spread evenly; none gets less than a core.

    `worker_threads` (0: the node's cores, shared by its workers) is the same everywhere.
    """
    known = list(nodes)
    counts = {node.node_id: 0 for node in known}
    room = {node.node_id: node.num_cpus // max(1, min(worker_threads, node.num_cpus)) for node in known}
    wanted = num_workers or len(known)
    while sum(counts.values()) < min(wanted, sum(room.values())):
        free = [node for node in known if counts[node.node_id] < room[node.node_id]]
        emptiest = min(free, key=lambda node: counts[node.node_id] / node.num_cpus)
        counts[emptiest.node_id] += 1
    return [
        Slot(
            node,
            index,
            min(worker_threads, node.num_cpus) or max(1, node.num_cpus // counts[node.node_id]),
        )
        for node in known
        for index in range(counts[node.node_id])
    ]
