"""A run on a real Ray cluster of two nodes while nodes and drivers die: it stays whole like any other run."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE_S
from ray_cluster import RayCluster, until
from run_invariants import check_everything

from milton.rundir import RunDir

PROGRAM = Path(__file__).parents[1] / "support" / "short_loop.py"


class Driver:
    """A loop in a process of its own, played by a cluster or here."""

    def __init__(self, run: Path, address: str = "", iterations: int = 0) -> None:
        where = [f"--cluster={address}"] if address else []
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(run), str(iterations), *where],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Waits, unless the loop ends meanwhile."""
        until(lambda: condition() or self.process.poll() is not None, what)
        assert self.process.poll() is None, f"the loop ended before {what}: {self.process.communicate()}"

    def end(self, signum: int) -> int:
        self.process.send_signal(signum)
        return self.wait()

    def wait(self) -> int:
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in errors
        print(errors)  # pytest shows it when something fails
        return self.process.returncode


def events(run: Path) -> list[str]:
    if not RunDir.exists(run):
        return []
    with RunDir.open(run, writable=False) as opened:
        return [f"{event.message}; {event.action}" for event in opened.database.events()]


def num_promotions(run: Path) -> int:
    if not RunDir.exists(run):
        return 0
    with RunDir.open(run, writable=False) as opened:
        return len(opened.database.champions()) - 1


def num_iterations(run: Path) -> int:
    with RunDir.open(run, writable=False) as opened:
        return opened.latest_iteration()


@pytest.fixture(scope="module")
def survivor(two_nodes: RayCluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run from zero through three promotions, during which a node was killed and another joined."""
    run = tmp_path_factory.mktemp("cluster") / "run"
    driver = Driver(run, two_nodes.address)
    try:
        driver.until(lambda: "worker on second joined" in "\n".join(events(run)), "the second node plays")
        driver.until(lambda: num_promotions(run) >= 1, "the first promotion")
        two_nodes.nodes[1].kill()
        two_nodes.add_node("third")
        driver.until(lambda: "worker on third joined" in "\n".join(events(run)), "the third node plays")
        driver.until(lambda: "worker on second lost" in "\n".join(events(run)), "the loss is noticed")
        driver.until(lambda: num_promotions(run) >= 3, "three promotions")
    finally:
        code = driver.end(signal.SIGINT)
    assert code == 0
    # What Ctrl-C left half done is finished on one machine.
    assert Driver(run, iterations=num_iterations(run)).wait() == 0
    return run


def test_three_promotions_while_a_node_is_killed_and_another_joins(survivor: Path):
    check_everything(survivor)
    assert num_promotions(survivor) >= 3
    assert any("worker on second lost" in event and "continuing with" in event for event in events(survivor))


def test_a_killed_driver_takes_its_workers_along_and_the_run_goes_on_here_and_there(
    survivor: Path, two_nodes: RayCluster, tmp_path: Path
):
    run = tmp_path / "run"
    shutil.copytree(survivor, run)
    before = num_iterations(run)
    driver = Driver(run, two_nodes.address)
    driver.until(lambda: num_iterations(run) > before, "the cluster plays")
    driver.until(lambda: len(two_nodes.worker_pids()) == 2, "there are two workers")
    assert driver.end(signal.SIGKILL) == -signal.SIGKILL
    # Nobody is left who could worker the next driver games that this one has written.
    until(lambda: not two_nodes.worker_pids(), "the workers are gone")
    assert Driver(run, iterations=num_iterations(run)).wait() == 0
    num_joined_before = len([event for event in events(run) if "joined" in event])
    assert Driver(run, two_nodes.address, iterations=num_iterations(run) + 1).wait() == 0
    check_everything(run)
    joined = [event for event in events(run) if "joined" in event]
    assert len(joined) > num_joined_before


@pytest.mark.slow  # Ray's client gives up after 30 s, which a busy machine may need to start its server
def test_a_driver_that_is_no_node_plays_through_the_client(
    survivor: Path, two_nodes: RayCluster, tmp_path: Path
):
    run = tmp_path / "run"
    shutil.copytree(survivor, run)
    num_joined = len([event for event in events(run) if "joined" in event])
    assert Driver(run, two_nodes.client_address, iterations=num_iterations(run) + 1).wait() == 0
    check_everything(run)
    assert len([event for event in events(run) if "joined" in event]) > num_joined


def test_champions_are_rated_there_as_they_are_here(survivor: Path, two_nodes: RayCluster):
    command = [sys.executable, "-m", "milton.cli", "ladder", "--run", str(survivor), "--json"]
    command += ["--every", "2", "--games", "6", "--simulations", "16", "--threads", "1"]
    here, there = (
        subprocess.run([*command, *where], capture_output=True, text=True, check=True)
        for where in ([], ["--cluster", two_nodes.address])
    )
    assert json.loads(here.stdout) == json.loads(there.stdout)
    assert there.stderr.strip() == f"playing on the Ray cluster {two_nodes.address} (from --cluster)"
