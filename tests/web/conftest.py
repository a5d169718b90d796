import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from long_run import make_long_run
from page_scenarios import Outcome, missing_for_browser, run_scenarios

from milton.lab import method_class

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every scenario that was asked for."""
    if reason := missing_for_browser():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("pages")
    wanted = [mark.args[0] for item in request.session.items for mark in item.iter_markers("scenario")]
    if {"staticSite", "slowSite", "installedSite"} & set(wanted):
        build_site()
    long_run = make_long_run(folder / "long", num_iterations=1_000)
    return run_scenarios(wanted, folder, long_run, make_lab(folder / "lab"))


def build_site() -> None:
    """As `make site` does; quick where it is up to date. Without its compiler the scenario skips."""
    if importlib.util.find_spec("ziglang") is None:
        return
    for script in ("wasm.sh", "site.sh"):
        done = subprocess.run(
            [ROOT / "scripts" / script],
            cwd=ROOT,
            env=os.environ | {"PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def make_lab(folder: Path) -> Path:
    """Methods that play chess as they are: a search by playouts, and a table that knows nothing."""
    method_class("mcts")().save(folder / "playouts.lab")
    method_class("q-learning")().save(folder / "table.lab")
    return folder
