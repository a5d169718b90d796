"""One node of a Ray cluster as a program of its own, bound to loopback; it ends when its stdin does.

Usage: python ray_node.py FOLDER NUM_CPUS [ADDRESS OF THE HEAD]; prints one JSON line: address, name, raylet's
process number.
"""

import json
import os
import sys
from pathlib import Path

# Before the import: only so does Ray keep to 127.0.0.1 (see milton.cluster.connection).
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

from ray._private.node import Node
from ray._private.parameter import RayParams

STORE_BYTES = 80 * 2**20


def start_node(folder: Path, num_cpus: int, head: str | None) -> Node:
    parameters = RayParams(
        node_ip_address="127.0.0.1",
        node_name=folder.name,
        num_cpus=num_cpus,
        num_gpus=0,
        object_store_memory=STORE_BYTES,
        include_dashboard=False,
        include_log_monitor=False,
        min_worker_port=0,
        max_worker_port=0,
        temp_dir=str(folder),
    )
    if head is not None:
        parameters.update(gcs_address=head, node_manager_port=0, dashboard_agent_listen_port=None)
    return Node(parameters, head=head is None, shutdown_at_exit=False, spawn_reaper=False)


def main(folder: Path, num_cpus: int, head: str | None) -> None:
    node = start_node(folder, num_cpus, head)
    try:
        raylet = node.all_processes["raylet"][0].process.pid
        print(json.dumps({"address": node.gcs_address, "name": folder.name, "raylet": raylet}), flush=True)
        sys.stdin.read()
    finally:
        node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
