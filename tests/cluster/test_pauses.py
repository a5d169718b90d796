"""Workers and whole machines that stand still for a while: no block is lost, repeated or out of order.

A machine that stands still looks like one behind a cut line: it says nothing, Ray gives it up, and it comes
back with what it had.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ray_cluster import RayCluster, until
from short_loop import tiny_settings
from small_nets import SMALL_NETS, write_net

from milton.cluster import ClusterAddress, ClusterWorkforce, open_workforce
from milton.cluster.block_queue import BlockQueue
from milton.cluster.block_wire import WireBlock
from milton.selfplay import GameSource, PlayingNetwork

pytestmark = pytest.mark.slow
SETTINGS = tiny_settings(**{"cluster.silence_s": 2.0})


@dataclass
class History:
    """Every block that came in at the driver, and the games that were handed over to the loop."""

    deliveries: list[tuple[str, int, int]] = field(default_factory=list)  # worker, its number, new positions
    num_taken: int = 0
    game_ids: list[int] = field(default_factory=list)

    def take(self, source: GameSource) -> None:
        games = source.take(1, 0.2)
        if games is not None:
            self.num_taken += games.block.num_positions
            self.game_ids += games.block.game_ids.tolist()

    def newest(self, worker: str) -> int:
        return max((number for name, number, _ in self.deliveries if name == worker), default=0)

    def workers(self) -> set[str]:
        return {name for name, _, _ in self.deliveries}

    def check(self, source: GameSource) -> None:
        """What is new comes once, in order, without a gap, and all of it reaches the loop."""
        for worker in self.workers():
            new = [number for name, number, positions in self.deliveries if name == worker and positions > 0]
            assert new == list(range(1, len(new) + 1)), worker
        arrived = sum(positions for _, _, positions in self.deliveries)
        while self.num_taken < arrived:
            self.take(source)
        assert len(set(self.game_ids)) == len(self.game_ids)


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> History:
    kept, add = History(), BlockQueue.add

    def noted(queue: BlockQueue, wire: WireBlock) -> int:
        positions = add(queue, wire)
        kept.deliveries.append((wire[0], wire[1], positions))
        return positions

    monkeypatch.setattr(BlockQueue, "add", noted)
    return kept


@contextmanager
def playing(two_nodes: RayCluster, folder: Path) -> Iterator[tuple[ClusterWorkforce, GameSource]]:
    checkpoint = write_net(folder / "net.safetensors", SMALL_NETS["sparse-connect-four"])
    target = ClusterAddress(two_nodes.address, "the test")
    with open_workforce(target, SETTINGS, num_workers=0, threads=1) as workforce:
        source = workforce.open_source(PlayingNetwork(checkpoint, "n"), SETTINGS, threads=1, seed=9)
        yield workforce, source
        source.stop()


def states(workforce: ClusterWorkforce) -> dict[str, str]:
    return {worker.node: worker.state for worker in workforce.workers()}


def until_taken(history: History, source: GameSource, condition, what: str) -> None:
    """Takes games meanwhile, as the loop does: a full queue asks for none."""

    def look() -> bool:
        history.take(source)
        return bool(condition())

    until(look, what)


def test_workers_that_pause_lose_and_repeat_nothing(two_nodes: RayCluster, history: History, tmp_path: Path):
    with playing(two_nodes, tmp_path) as (workforce, source):
        until_taken(history, source, lambda: len(history.workers()) == 2, "both workers deliver")
        nodes = [node for node in two_nodes.nodes if node.worker_pids()]  # tests before this one kill some
        for round_index in range(6):
            node = nodes[round_index % 2]
            (pid,) = node.worker_pids()
            os.kill(pid, signal.SIGSTOP)
            try:
                if round_index < 4:  # until it is missed
                    until_taken(
                        history, source, lambda node=node: states(workforce)[node.name] == "silent", "silence"
                    )
                else:  # for a moment
                    num_before = len(history.deliveries)
                    until_taken(
                        history,
                        source,
                        lambda n=num_before: len(history.deliveries) > n,
                        "the other plays on",
                    )
            finally:
                os.kill(pid, signal.SIGCONT)
            before = {worker: history.newest(worker) for worker in history.workers()}
            until_taken(
                history,
                source,
                lambda before=before: all(history.newest(worker) > before[worker] for worker in before),
                "both deliver again",
            )
        assert len(history.workers()) == 2, "nobody was replaced"
        history.check(source)


def test_a_machine_that_was_given_up_comes_back_to_nothing(
    two_nodes: RayCluster, history: History, tmp_path: Path
):
    node = two_nodes.add_node("paused")
    try:
        with playing(two_nodes, tmp_path) as (workforce, source):
            until_taken(history, source, lambda: len(history.workers()) == 3, "three workers deliver")
            node.signal(signal.SIGSTOP)
            until_taken(history, source, lambda: "paused" not in states(workforce), "Ray gives it up")
            gone = history.workers()
            before = {worker: history.newest(worker) for worker in gone}
            node.signal(signal.SIGCONT)
            until_taken(
                history,
                source,
                lambda: sum(history.newest(worker) > before[worker] + 1 for worker in gone) >= 2,
                "the others play on",
            )
            (lost,) = [worker for worker in gone if history.newest(worker) <= before[worker]]
            assert history.newest(lost) == before[lost], "nothing of it comes late"
            history.check(source)
    finally:
        node.kill()
        two_nodes.nodes.remove(node)
