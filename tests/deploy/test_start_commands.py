"""The commands of the ready-made files, as plain processes: a head and a worker on loopback, with a token.

Ray listens on every interface unless its address is 127.0.0.1, so all of it runs in a network of its own.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from deploy_files import cluster_commands, compose_commands, documents, kuberay_commands
from own_network import own_network
from patience import PATIENCE_S
from ray_cluster import until

RAY = str(Path(sys.executable).with_name("ray"))
TOKEN = secrets.token_hex(32)
COMMANDS = {"compose": compose_commands, "cluster": cluster_commands, "kuberay": kuberay_commands}
# Loopback, but not 127.0.0.1, which Ray takes for a mistake and replaces by the address of the machine.
HOST, PORT = "127.0.0.2", 6379
ADDRESS = f"{HOST}:{PORT}"

# The head offers no processors, so this waits for the worker to join, however long that takes.
DRIVER = """
import ray, sys
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
where = ray.get(ray.remote(lambda: ray.get_runtime_context().get_node_id()).remote(), timeout=500)
worker = next(node for node in ray.nodes() if node["NodeID"] == where)
print(len(ray.nodes()), worker["Resources"]["CPU"])
"""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ray's own
@pytest.mark.parametrize("name", COMMANDS)
def test_ray_understands_every_option(name):
    from ray.scripts.scripts import start as ray_start

    commands = COMMANDS[name]()
    for word, *options in (commands.head, commands.worker):
        assert word == "start"
        ray_start.make_context("ray start", list(options))  # raises for an option that does not exist


@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_head_is_a_head_and_gives_no_processors_away(name):
    commands = COMMANDS[name]()
    assert "--head" in commands.head
    assert "--num-cpus=0" in commands.head
    assert "--head" not in commands.worker


def environment(token: str = TOKEN) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    return inherited | {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token,
        "RAY_raylet_start_wait_time_s": f"{PATIENCE_S:.0f}",  # 30 s are too few on a busy machine
        "RAY_agent_register_timeout_ms": f"{1000 * PATIENCE_S:.0f}",
    }


def on_loopback(words: tuple[str, ...], folder: Path, *, is_head: bool) -> list[str]:
    """The same command, except for what only the real machines have: addresses, ports and memory."""
    changed = {
        "--port": str(PORT),
        "--address": ADDRESS,
        "--node-ip-address": HOST,
        "--object-store-memory": str(80 * 2**20),
    }
    kept = [word for word in words if not word.startswith("--autoscaling-config")]  # would use ssh
    keys = [word.partition("=")[0] for word in kept]
    replaced = [
        f"{key}={changed[key]}" if key in changed else word for key, word in zip(keys, kept, strict=True)
    ]
    added = {"--node-ip-address": HOST, "--min-worker-port": "0", "--max-worker-port": "0"}
    if is_head:
        added |= {"--port": str(PORT), "--temp-dir": str(folder)}
    return [
        RAY,
        *replaced,
        *(f"{key}={value}" for key, value in added.items() if key not in keys),
        *([] if "--block" in keys else ["--block"]),
    ]


def processes_in(folder: Path) -> list[int]:
    """Every process that was started with a path of that folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return [pid for pid in found if pid != os.getpid()]


class Nodes:
    """A head and a worker, each the process of its command. `inside` goes in front of every command."""

    def __init__(self, name: str, folder: Path, inside: list[str]) -> None:
        self._folder = folder
        self._inside = inside
        self._commands = COMMANDS[name]()
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        self._run(on_loopback(self._commands.head, self._folder, is_head=True))
        self._wait_until_healthy()
        self._run(on_loopback(self._commands.worker, self._folder, is_head=False))

    def _run(self, command: list[str]) -> None:
        log = (self._folder / f"{len(self._processes)}.log").open("wb")
        with log:
            self._processes.append(
                subprocess.Popen(
                    [*self._inside, *command], env=environment(), stdout=log, stderr=subprocess.STDOUT
                )
            )

    def run(self, command: list[str], token: str = TOKEN) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._inside, *command],
            env=environment(token),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )

    def check_health(self, token: str = TOKEN) -> subprocess.CompletedProcess[str]:
        """By the very command that the compose file uses."""
        kind, ray, *check = documents("compose.yaml")[0]["services"]["head"]["healthcheck"]["test"]
        assert (kind, ray) == ("CMD", "ray")
        return self.run([RAY, *check[:-1], ADDRESS], token)

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self._folder.glob("*.log")))

    def _wait_until_healthy(self) -> None:
        head = self._processes[0]
        until(lambda: "Ray runtime started" in self.logs() or head.poll() is not None, "the head runs")
        health = self.check_health()
        assert health.returncode == 0, health.stderr + self.logs()

    def end(self) -> list[int]:
        """Ends both commands as `docker stop` would; what was left over all the same, now dead too."""
        for process in reversed(self._processes):
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
        left = processes_in(self._folder)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return left


@pytest.fixture(
    scope="module",
    params=["compose", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cluster", "kuberay"))],
)
def nodes(request):
    # Short, for the names of Ray's sockets.
    with (
        own_network() as inside,
        tempfile.TemporaryDirectory(prefix="md-", dir="/tmp", ignore_cleanup_errors=True) as folder,
    ):
        started = Nodes(request.param, Path(folder), inside)
        try:
            started.start()
            yield started
        finally:
            left = started.end()
        assert left == []


def test_a_driver_finds_head_and_worker_joined(nodes):
    result = nodes.run([sys.executable, "-c", DRIVER, ADDRESS])
    assert result.returncode == 0, result.stderr + nodes.logs()
    num_nodes, num_cpus = result.stdout.split()
    assert int(num_nodes) == 2
    assert float(num_cpus) >= 1


def test_nobody_joins_with_another_token(nodes):
    result = nodes.check_health(secrets.token_hex(32))
    assert result.returncode != 0
    assert "token" in (result.stdout + result.stderr).lower()
