"""The WebAssembly core against the native one: rules, networks, searches. web/wasm does the comparing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from milton.play.network import SHIPPED_CHAMPIONS

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
TOWER = SHIPPED_CHAMPIONS / "santorini-tower.safetensors"


def run(*command: str | Path, folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def engine_folder() -> None:
    """The site as `make site` builds it, one process at a time; nothing is done where it is up to date."""
    if shutil.which("npm") is None:
        pytest.skip("Node is missing: install nodejs and npm")
    pytest.importorskip("ziglang", reason="the package ziglang is missing: run `make setup`")
    run("scripts/wasm.sh")
    run("scripts/site.sh", PYTHON=sys.executable)


def test_the_wasm_core_agrees_with_the_native_one(tmp_path: Path) -> None:
    run(sys.executable, Path(__file__).parent / "expectations.py", tmp_path, MILTON_CORE="generic")
    run("npx", "vitest", "run", "wasm", folder=WEB, MILTON_EXPECTED=str(tmp_path))


def test_an_exported_network_says_the_same_in_the_browser_runtime(tmp_path: Path) -> None:
    model = tmp_path / "tower.onnx"
    run(sys.executable, "-m", "milton.cli", "export", "--checkpoint", TOWER, "--output", model)
    assert "agrees" in run(sys.executable, "scripts/verify_web.py", model, TOWER, "64")


@pytest.mark.slow
def test_another_network_is_told_apart_in_the_browser_runtime(tmp_path: Path) -> None:
    """The verifier can fail: the model of one network against the checkpoint of another."""
    other = tmp_path / "other.safetensors"
    shutil.copy(TOWER, other)
    content = bytearray(other.read_bytes())
    content[-200_000:-100_000] = bytes(100_000)
    other.write_bytes(content)
    command = [
        sys.executable,
        "scripts/verify_web.py",
        "web/public-site/engine/santorini-tower.onnx",
        str(other),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "DIFFERS" in done.stdout, done.stderr


@pytest.mark.slow
def test_every_network_plays_in_a_real_browser_below_a_sub_path() -> None:
    if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        pytest.skip("chromium is missing: apt-get install chromium")
    run("node", "wasm/browser.mjs", folder=WEB)
