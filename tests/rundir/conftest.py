"""A small run to play with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from milton.config import Settings
from milton.rundir import RunDir


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunDir]:
    with RunDir.create(tmp_path / "runs" / "one", Settings.profile("any-game-quick")) as run:
        yield run
