"""A cluster of two machines whose line is cut while both go on; code 0 if no block was lost or repeated.

Usage: unshare --net python partitioned_cluster.py FOLDER
"""

import sys
from pathlib import Path

from block_history import History, noted_history, playing, states, until_taken
from ray_cluster import RayCluster, running_cluster, use_one_token
from two_machines import TwoMachines, two_machines

from milton.cluster import ClusterWorkforce
from milton.selfplay import GameSource

BOTH = {"to_far": True, "to_near": True}
CUTS = (BOTH, {"to_far": True, "to_near": False}, {"to_far": False, "to_near": True}, BOTH)


class Partition:
    def __init__(
        self, line: TwoMachines, history: History, workforce: ClusterWorkforce, source: GameSource
    ) -> None:
        self._line, self._history, self._workforce, self._source = line, history, workforce, source

    def until(self, condition: object, what: str) -> None:
        until_taken(self._history, self._source, condition, what)  # type: ignore[arg-type]

    def cut_for_a_while(self, directions: dict[str, bool]) -> None:
        """Until the far worker is missed: its games wait for the line, and nobody takes its place."""
        workers = self._history.workers()
        self._line.cut(**directions)
        self.until(lambda: states(self._workforce).get("far") == "silent", "the far worker is missed")
        num_before = len(self._history.deliveries)
        self.until(lambda: len(self._history.deliveries) > num_before + 2, "the near worker plays on")
        self._line.mend()
        before = {worker: self._history.newest(worker) for worker in workers}
        self.until(
            lambda: all(self._history.newest(worker) > before[worker] for worker in workers),
            "both deliver again",
        )
        assert self._history.workers() == workers, "nobody was replaced"

    def cut_until_given_up(self) -> None:
        """Until Ray takes the far machine for dead. It is not, and plays on behind the cut."""
        workers = self._history.workers()
        self._line.cut()
        self.until(lambda: "far" not in states(self._workforce), "Ray gives the far machine up")
        before = {worker: self._history.newest(worker) for worker in workers}
        self._line.mend()
        self.until(
            lambda: max(self._history.newest(worker) - before[worker] for worker in workers) > 20,
            "the near worker plays on",
        )
        (lost,) = [worker for worker in workers if self._history.newest(worker) == before[worker]]
        print(f"given up after {before[lost]} blocks, none of it came late", flush=True)


def main(folder: Path) -> None:
    use_one_token()
    with two_machines() as line, running_cluster() as cluster, noted_history() as history:
        start(cluster, line)
        with playing(cluster.address, folder) as (workforce, source):
            partition = Partition(line, history, workforce, source)
            partition.until(lambda: len(history.workers()) == 2, "both workers deliver")
            for directions in CUTS:
                partition.cut_for_a_while(directions)
                print(f"cut {directions}: {len(history.deliveries)} deliveries so far", flush=True)
            partition.cut_until_given_up()
            history.check(source)
    print(f"{len(history.deliveries)} deliveries, each block once, in order, without a gap")


def start(cluster: RayCluster, line: TwoMachines) -> None:
    cluster.add_node("near", machine=line.near)
    cluster.add_node("far", machine=line.far)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
