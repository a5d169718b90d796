"""One node of a Ray cluster on this machine, bound to loopback by default: for benchmarks and tests.

`ray start` will not do: it replaces 127.0.0.1 by the machine's address or refuses a second node.
"""

import os
from pathlib import Path
from typing import Any

from milton.cluster.connection import keep_to_loopback, load_ray

_STORE_BYTES = 80 * 2**20


def start_node(
    folder: Path,
    num_cpus: int,
    head: str | None = None,
    client_ports: tuple[int, int] = (0, 0),
    ip: str = "127.0.0.1",
) -> Any:
    """A head, or a node of the head at that address, named like the folder; see `end_node`.

    `client_ports` of a head: where it serves ray://, and another free port that Ray needs for that.
    The folder's name must be short: Unix sockets have names of 107 bytes at most.
    """
    keep_to_loopback()
    # Ray makes its workers nice by 15, which counts where a machine is shared with others as nice as we are.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    load_ray()
    from ray._private.node import Node
    from ray._private.parameter import RayParams

    options: dict[str, Any] = {
        "node_ip_address": ip,
        "node_name": folder.name,
        "num_cpus": num_cpus,
        "num_gpus": 0,
        "object_store_memory": _STORE_BYTES,
        "include_dashboard": False,
        "include_log_monitor": False,
        "min_worker_port": 0,
        "max_worker_port": 0,
        "temp_dir": str(folder),
    }
    if head is not None:
        options |= {"gcs_address": head, "node_manager_port": 0, "dashboard_agent_listen_port": None}
    if client_ports[0]:
        options |= {"ray_client_server_port": client_ports[0], "runtime_env_agent_port": client_ports[1]}
    # Without Ray's reaper, which would move this process out of reach of Ctrl-C.
    return Node(RayParams(**options), head=head is None, shutdown_at_exit=False, spawn_reaper=False)


def end_node(node: Any) -> None:
    node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
