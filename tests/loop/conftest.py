"""A finished run for tests that damage one."""

import shutil
from pathlib import Path

import pytest
from finished_runs import go_on
from short_loop import tiny_settings

from milton.loop import init_run


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory) -> Path:
    """Two finished iterations, to be copied and damaged."""
    path = tmp_path_factory.mktemp("finished") / "run"
    with init_run(path, tiny_settings()) as run:
        assert go_on(run, 2)
    return path


@pytest.fixture
def path(finished_run, tmp_path) -> Path:
    shutil.copytree(finished_run, tmp_path / "run")
    return tmp_path / "run"
