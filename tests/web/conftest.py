import pytest
from long_run import make_long_run
from page_scenarios import Outcome, missing_for_browser, run_scenarios


@pytest.fixture(scope="session")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every scenario that was asked for."""
    if reason := missing_for_browser():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("pages")
    wanted = [mark.args[0] for item in request.session.items for mark in item.iter_markers("scenario")]
    return run_scenarios(wanted, folder, make_long_run(folder / "long", num_iterations=1_000))
