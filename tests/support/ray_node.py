"""One node of a Ray cluster as a program of its own; it ends when its stdin does.

Usage: python ray_node.py FOLDER NUM_CPUS IP [ADDRESS OF THE HEAD | PORT FOR ray:// AND A FREE PORT]; prints
one JSON line: address, name, raylet's process number.
"""

import json
import sys
from pathlib import Path

from milton.bench.ray_node import end_node, start_node


def main(folder: Path, num_cpus: int, ip: str, *rest: str) -> None:
    ports = (int(rest[0]), int(rest[1])) if len(rest) == 2 else (0, 0)
    node = start_node(folder, num_cpus, rest[0] if len(rest) == 1 else None, ports, ip)
    try:
        raylet = node.all_processes["raylet"][0].process.pid
        print(json.dumps({"address": node.gcs_address, "name": folder.name, "raylet": raylet}), flush=True)
        sys.stdin.read()
    finally:
        end_node(node)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
