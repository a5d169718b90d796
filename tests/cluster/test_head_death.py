"""The head of a cluster dies, and with it the cluster: the driver ends, and its run goes on elsewhere."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S
from ray_cluster import RayCluster, running_cluster, until
from run_invariants import check_everything

from milton.rundir import RunDir

PROGRAM = Path(__file__).parents[1] / "support" / "short_loop.py"


@pytest.fixture
def mortal() -> Iterator[RayCluster]:
    """A cluster of its own, because nothing is left of it."""
    with running_cluster() as cluster:
        cluster.add_node("head")
        cluster.add_node("second")
        yield cluster


def driver(run: Path, iterations: int, *where: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), str(run), str(iterations), *where]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def num_iterations(run: Path) -> int:
    if not RunDir.exists(run):
        return 0
    with RunDir.open(run, writable=False) as opened:
        return opened.latest_iteration()


@pytest.mark.slow  # Ray looks for a lost head for a minute
def test_a_driver_whose_head_dies_ends_and_its_run_goes_on_here(mortal: RayCluster, tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = driver(run, 0, f"--cluster={mortal.address}")
    until(lambda: num_iterations(run) >= 2 or first.poll() is not None, "two iterations are done")
    assert first.poll() is None, first.communicate()[1]
    mortal.nodes[0].kill()
    _, errors = first.communicate(timeout=PATIENCE_S)
    print(first.returncode, errors)  # pytest shows it when something fails
    assert first.returncode != 0
    done = num_iterations(run)
    with RunDir.open(run) as opened:
        assert opened.findings == ()
    again = driver(run, done + 1)
    _, errors = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, errors
    assert num_iterations(run) == done + 1
    check_everything(run)
