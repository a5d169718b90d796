"""Folders of workers and private clusters: whoever comes next removes those of processes that were killed,
and ends what they left running."""

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from patience import PATIENCE_S

from milton.cluster.work_folder import WorkFolder

pytest.importorskip("ray")
NODES = (
    "import sys, time\n"
    "from milton.bench import cluster\n"
    "from milton.cluster.work_folder import WorkFolder\n"
    "cluster.WorkFolder = lambda prefix, _: WorkFolder(prefix, sys.argv[1])\n"
    "with cluster.loopback_nodes(1):\n"
    "    print('ready', flush=True)\n"
    "    time.sleep(600)\n"
)
HOLD = (
    "import sys, time\n"
    "from milton.cluster.work_folder import WorkFolder\n"
    "print(WorkFolder('mr-', sys.argv[1]).path, flush=True)\n"
    "time.sleep(600)\n"
)


def hold(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process with a folder of its own."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(parent)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_folder_of_a_killed_process_is_removed_by_the_next_start(tmp_path):
    living, kept = hold(tmp_path)
    killed, left_behind = hold(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".milton-lock").touch()
    (tmp_path / "mr-link").symlink_to(elsewhere)
    try:
        killed.kill()
        killed.wait()
        assert left_behind.is_dir()
        folder = WorkFolder("mr-", str(tmp_path))
        assert not left_behind.exists()
        assert kept.is_dir(), "its process lives"
        assert elsewhere.is_dir(), "a link is not followed"
        folder.close()
        assert not folder.path.exists()
    finally:
        living.kill()
        living.wait()


def servers_in(folder: Path) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words, state = (entry / "cmdline").read_bytes(), (entry / "stat").read_text().rpartition(")")[2]
        except OSError:
            continue
        if f"{folder}/".encode() in words and state.split()[0] != "Z":
            found.append(words.split(b"\0")[0].decode())
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_servers_of_a_killed_benchmark_are_ended_by_the_next_start():
    # Names of Unix sockets are short: not in pytest's folder.
    with TemporaryDirectory(prefix="mt-", dir="/tmp") as name:
        parent = Path(name)
        killed = subprocess.Popen(
            [sys.executable, "-c", NODES, name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert killed.stdout is not None
        assert killed.stdout.readline() == "ready\n"
        (left_behind,) = parent.glob("mb-*")
        bystander = subprocess.Popen(["sh", "-c", "cat", f"{left_behind}/x"], stdin=subprocess.PIPE)
        killed.kill()
        killed.wait()
        assert any("gcs_server" in server for server in servers_in(left_behind)), "they outlive it"
        WorkFolder("mb-", name).close()
        give_up_s = time.monotonic() + PATIENCE_S
        while any("ray" in server for server in servers_in(left_behind)):
            assert time.monotonic() < give_up_s
            time.sleep(0.05)
        assert not left_behind.exists()
        assert bystander.poll() is None, "no process of Ray"
        bystander.kill()
        bystander.wait()
