"""Runs scenarios of web/e2e: a Node program that drives a real browser against real servers."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import short_loop

WEB = Path(__file__).parents[2] / "web"
_STATIC = Path(__file__).parents[2] / "src" / "milton" / "webapi" / "static"
_LONGEST_S = 900
_SETTINGS = short_loop.TINY | {"coach.every": 1}
_SMALL_LOOP = ["loop", "--plain", "--iterations=0", "--game=connect_four", "--profile=any-game-quick"] + [
    f"--set={key}={json.dumps(value)}" for key, value in _SETTINGS.items() if key != "loop.game"
]


@dataclass(frozen=True)
class Outcome:
    state: str  # "passed", "skipped", "failed"
    text: str = ""


def missing_for_node() -> str | None:
    """What has to be installed before Node can run the pages' programs; None if nothing."""
    if shutil.which("node") is None or not (WEB / "node_modules" / "playwright-core").is_dir():
        missing = "Node.js or the tools of the page's tests are missing"
        return f"{missing}: apt-get install nodejs npm, then make test-web"
    return None


def missing_for_browser() -> str | None:
    if shutil.which("chromium") is None:
        return "chromium is missing: make system-packages"
    if not (_STATIC / "index.html").is_file():
        return "the page is not built: make web"
    return missing_for_node()


def scenario_names() -> list[str]:
    listed = subprocess.run(["node", str(WEB / "e2e" / "run.mjs")], capture_output=True, check=True)
    names: list[str] = json.loads(listed.stdout)
    return names


def run_scenarios(names: Sequence[str], folder: Path, long_run: Path, lab: Path) -> dict[str, Outcome]:
    """All in one browser: starting it costs more than most of them."""
    task = {
        "milton": [sys.executable, "-m", "milton.cli"],
        "folder": str(folder),
        "longRun": str(long_run),
        "lab": str(lab),
        "loop": _SMALL_LOOP,
        "scenarios": list(names),
    }
    done = subprocess.run(
        ["node", str(WEB / "e2e" / "run.mjs"), json.dumps(task)],
        capture_output=True,
        text=True,
        timeout=_LONGEST_S,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = {each["name"]: Outcome(each["state"], each.get("text", "")) for each in told}
    not_told = Outcome("failed", f"the browser's program ended early:\n{done.stderr}")
    return {name: found.get(name, not_told) for name in names}
