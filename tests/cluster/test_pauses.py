"""Workers and whole machines that stand still for a while: no block is lost, repeated or out of order.

A machine that stands still looks like one behind a cut line: it says nothing, Ray gives it up, and it comes
back with what it had.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from block_history import History, noted_history, playing, states, until_taken
from ray_cluster import RayCluster

pytestmark = pytest.mark.slow


@pytest.fixture
def history() -> Iterator[History]:
    with noted_history() as history:
        yield history


def test_workers_that_pause_lose_and_repeat_nothing(two_nodes: RayCluster, history: History, tmp_path: Path):
    with playing(two_nodes.address, tmp_path) as (workforce, source):
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
        with playing(two_nodes.address, tmp_path) as (workforce, source):
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
