"""A real Ray cluster on this machine, every node a group of processes that can be killed like a machine."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from patience import PATIENCE_S

from milton.bench.processes import processes
from milton.cluster.connection import keep_to_loopback

PROGRAM = Path(__file__).with_name("ray_node.py")


def use_one_token() -> None:
    """Nodes, drivers and this process trust each other and nobody else; before Ray is imported."""
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    keep_to_loopback()
    # A busy machine: a node and its agent need seconds of processor time to start.
    os.environ["RAY_raylet_start_wait_time_s"] = f"{PATIENCE_S:.0f}"  # noqa: SIM112
    os.environ["RAY_agent_register_timeout_ms"] = f"{1000 * PATIENCE_S:.0f}"  # noqa: SIM112


@dataclass(frozen=True, slots=True)
class Machine:
    """Where a node runs: its address, and the words before a command that is to run there."""

    ip: str
    enter: tuple[str, ...] = ()


LOOPBACK = Machine("127.0.0.1")


class RayNode:
    def __init__(
        self,
        folder: Path,
        num_cpus: int,
        *arguments: str,
        source: Path | None = None,
        machine: Machine = LOOPBACK,
    ) -> None:
        """`arguments` are those of ray_node.py; `source` holds another `milton` than the one under test."""
        environment = dict(os.environ) | ({"PYTHONPATH": str(source)} if source else {})
        folder.mkdir()
        self._process = subprocess.Popen(
            [
                *machine.enter,
                sys.executable,
                str(PROGRAM),
                str(folder),
                str(num_cpus),
                machine.ip,
                *arguments,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(folder / "stderr.txt").open("w"),
            env=environment,
            text=True,
            start_new_session=True,  # the group that `kill` ends
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:  # it gave up and left what it had started behind
            self.kill()
        assert line, f"node {folder.name} did not start: {(folder / 'stderr.txt').read_text()[-2000:]}"
        facts = json.loads(line)
        self.name: str = facts["name"]
        self.address: str = facts["address"]
        self._raylet: int = facts["raylet"]

    def worker_pids(self) -> list[int]:
        """Processes of milton's workers on this node."""
        children = [
            pid for pid, entry in processes().items() if entry.parent == self._raylet and not entry.has_ended
        ]
        return [pid for pid in children if command_of(pid).startswith("ray::Worker")]

    def signal(self, number: int) -> None:
        """To all its processes: SIGSTOP and SIGCONT pause the whole machine."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """As if somebody had pulled the plug."""
        self.signal(signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()


class RayCluster:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.nodes: list[RayNode] = []
        self._client_ports = free_ports(2)

    @property
    def address(self) -> str:
        return self.nodes[0].address

    @property
    def client_address(self) -> str:
        return f"ray://127.0.0.1:{self._client_ports[0]}"

    def add_node(
        self, name: str, num_cpus: int = 1, source: Path | None = None, machine: Machine = LOOPBACK
    ) -> RayNode:
        arguments = [self.address] if self.nodes else [str(port) for port in self._client_ports]
        node = RayNode(self._folder / name, num_cpus, *arguments, source=source, machine=machine)
        self.nodes.append(node)
        return node

    def worker_pids(self) -> list[int]:
        return [pid for node in self.nodes for pid in node.worker_pids()]


@contextmanager
def running_cluster() -> Iterator[RayCluster]:
    # Short: names of Unix sockets may have 107 bytes.
    with tempfile.TemporaryDirectory(prefix="mt-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        cluster = RayCluster(Path(folder))
        try:
            yield cluster
        finally:
            for node in reversed(cluster.nodes):
                node.kill()


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in listeners]


def until(condition: Callable[[], bool], what: str) -> None:
    """Looks again and again; fails when it takes far too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_S:g} s in vain until {what}"
        time.sleep(0.2)


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
