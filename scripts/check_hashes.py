"""Compares what pip installed with requirements.lock: `python scripts/check_hashes.py REPORT`.

REPORT is what `pip install --report REPORT` wrote. Every file must have a SHA-256 of its version in the
lock. Two are let through: the project itself, and a CPU build of torch (2.0+cpu), which PyPI does not have.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
_ENTRY = re.compile(r"^(\S+)==(\S+) \\$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def locked(text: str) -> dict[tuple[str, str], set[str]]:
    """SHA-256 by name and version."""
    found: dict[tuple[str, str], set[str]] = {}
    current: set[str] = set()
    for line in text.splitlines():
        if entry := _ENTRY.match(line):
            current = found.setdefault((normalised(entry[1]), entry[2]), set())
        current.update(_HASH.findall(line))
    return found


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def problems(report: dict[str, object], allowed: dict[tuple[str, str], set[str]]) -> list[str]:
    """A line for each file that the lock does not know."""
    lines = []
    for item in report["install"]:  # type: ignore[attr-defined]
        download, metadata = item["download_info"], item["metadata"]
        name, version = normalised(metadata["name"]), metadata["version"].partition("+")[0]
        is_cpu_torch = name == "torch" and "+" in metadata["version"]
        if "dir_info" in download or is_cpu_torch:
            continue
        digest = download.get("archive_info", {}).get("hashes", {}).get("sha256", "")
        if digest not in allowed.get((name, version), set()):
            lines.append(f"{name} {version}: SHA-256 {digest or 'unknown'} is not in requirements.lock")
    return lines


def main(path: Path) -> int:
    found = problems(json.loads(path.read_text(encoding="utf-8")), locked(LOCK.read_text(encoding="utf-8")))
    for line in found:
        print(f"setup: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
