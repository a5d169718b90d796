from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import short_loop
from rich.console import Console
from web_client import serving

from milton.loop import init_run, run_loop


@pytest.fixture(scope="session")
def learnt_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small iterations of Connect Four."""
    path = tmp_path_factory.mktemp("runs") / "learnt"
    with init_run(path, short_loop.tiny_settings()) as run:
        run_loop(run, run.settings(), iterations=3, console=Console(quiet=True))
    return path


@pytest.fixture(scope="session")
def client(learnt_run: Path) -> Iterator[httpx2.Client]:
    with serving(run=learnt_run) as found:
        yield found


@pytest.fixture(scope="session")
def runless_client() -> Iterator[httpx2.Client]:
    with serving() as found:
        yield found
