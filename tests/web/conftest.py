from pathlib import Path

import pytest
from long_run import make_long_run
from page_scenarios import Outcome, missing_for_browser, run_scenarios

from milton.lab import method_class


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every scenario that was asked for."""
    if reason := missing_for_browser():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("pages")
    wanted = [mark.args[0] for item in request.session.items for mark in item.iter_markers("scenario")]
    long_run = make_long_run(folder / "long", num_iterations=1_000)
    return run_scenarios(wanted, folder, long_run, make_lab(folder / "lab"))


def make_lab(folder: Path) -> Path:
    """Methods that play chess as they are: a search by playouts, and a table that knows nothing."""
    method_class("mcts")().save(folder / "playouts.lab")
    method_class("q-learning")().save(folder / "table.lab")
    return folder
