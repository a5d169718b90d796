"""Networks for the bot: as they are before learning, small and quick."""

from pathlib import Path

import pytest
from playing import write_playable, write_untrained


@pytest.fixture(scope="session")
def networks(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("networks")
    return (
        write_playable(folder / "first.safetensors", "sparse-chess"),
        write_untrained(folder / "second.safetensors", "sparse-chess"),
    )
