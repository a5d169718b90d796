"""Networks for the bot: as they are before learning, small and quick."""

from pathlib import Path

import pytest
from playing import write_playable, write_untrained


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """Tracebacks of failures are written to the user's folder."""
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="session")
def networks(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("networks")
    return (
        write_playable(folder / "first.safetensors", "sparse-chess"),
        write_untrained(folder / "second.safetensors", "sparse-chess"),
    )
