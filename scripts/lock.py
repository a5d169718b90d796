"""Writes requirements.lock: the versions of constraints.txt with the SHA-256 of every file that PyPI has of
them, so that `pip install --require-hashes` takes nothing else. `python scripts/lock.py`, needs the network.

All files of a version are listed, for every platform and Python: which one fits is pip's decision.
"""

import re
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSTRAINTS, LOCK = ROOT / "constraints.txt", ROOT / "requirements.lock"
PYPI = "https://pypi.org/simple"
_LINK = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')
_ATTEMPTS = 3


def main() -> int:
    lines = ["# Written by scripts/lock.py; do not edit. Versions: constraints.txt."]
    for name, version in pins():
        found = hashes(name, version)
        if not found:
            print(f"lock: no file of {name} {version} in the index", file=sys.stderr)
            return 1
        lines.append(f"{name}=={version} \\")
        lines.append(" \\\n".join(f"    --hash=sha256:{digest}" for digest in sorted(found)))
    LOCK.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def pins() -> list[tuple[str, str]]:
    """Name and version of every line of constraints.txt, names as indexes normalise them."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)$", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
    return sorted((re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in found)


def hashes(name: str, version: str) -> set[str]:
    page = fetch(f"{PYPI}/{name}/")
    return {digest for file, digest in _LINK.findall(page) if version_of(file, name) == version}


def version_of(file: str, name: str) -> str:
    """The version in the name of a wheel or source archive, without a local part such as +cpu."""
    stem = re.sub(r"\.(whl|tar\.gz|zip|tar\.bz2)$", "", file)
    prefix = re.compile("[-_.]+".join(map(re.escape, name.split("-"))) + "-", re.IGNORECASE)
    match = prefix.match(stem)
    rest = stem[match.end() :] if match else ""
    return (rest.split("-")[0] if file.endswith(".whl") else rest).partition("+")[0]


def fetch(url: str) -> str:
    request = urllib.request.Request(url, headers={"Accept": "text/html"})
    for attempt in range(_ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return ""
            if attempt == _ATTEMPTS - 1:
                raise
        except OSError:
            if attempt == _ATTEMPTS - 1:
                raise
        time.sleep(2.0**attempt)
    return ""


if __name__ == "__main__":
    sys.exit(main())
