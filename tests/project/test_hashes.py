"""`make setup` takes only files whose SHA-256 stands in requirements.lock."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SPEC = importlib.util.spec_from_file_location("check_hashes", ROOT / "scripts" / "check_hashes.py")
assert _SPEC is not None
assert _SPEC.loader is not None
check_hashes = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(check_hashes)

GOOD, BAD = "a" * 64, "b" * 64
ENTRY = f"some-thing==1.0 \\\n    --hash=sha256:{GOOD} \\\n    --hash=sha256:{'c' * 64}\n"
ALLOWED = check_hashes.locked(f"# header\n{ENTRY}")
OWN = {"metadata": {"name": "milton-zero", "version": "1"}, "download_info": {"url": "", "dir_info": {}}}


def item(name: str, version: str, digest: str) -> dict[str, object]:
    return {
        "metadata": {"name": name, "version": version},
        "download_info": {"url": "", "archive_info": {"hashes": {"sha256": digest}}},
    }


@pytest.mark.parametrize(
    ("installed", "is_fine"),
    [
        (item("Some_Thing", "1.0", GOOD), True),
        (item("some-thing", "1.0", BAD), False),
        (item("some-thing", "1.1", GOOD), False),
        (item("unknown", "1.0", GOOD), False),
        (item("torch", "2.0+cpu", BAD), True),
        (item("torch", "2.0", BAD), False),
        (item("some-thing", "1.0+cpu", BAD), False),
        (OWN, True),
    ],
)
def test_a_file_that_the_lock_does_not_know_is_named(installed, is_fine):
    assert (check_hashes.problems({"install": [installed]}, ALLOWED) == []) is is_fine


def test_the_lock_has_every_version_of_the_constraints():
    pins = [line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    locked = check_hashes.locked((ROOT / "requirements.lock").read_text())
    missing = [
        name for name, version in pins if not locked.get((check_hashes.normalised(name), version.strip()))
    ]
    assert missing == []
