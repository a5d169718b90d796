"""Engines with random networks, small enough to be made by the dozen."""

from pathlib import Path

import pytest
from playing import write_playable, write_untrained

from milton.play import Engine, Network

MEMORY_MB = 64


@pytest.fixture(scope="session")
def chess_net(tmp_path_factory) -> Path:
    return write_playable(tmp_path_factory.mktemp("nets") / "chess.safetensors", "sparse-chess")


@pytest.fixture
def untrained(tmp_path: Path) -> Engine:
    """A network as it is before its first lesson."""
    return Engine(
        Network.load(write_untrained(tmp_path / "net.safetensors", "sparse-chess")), memory_mb=MEMORY_MB
    )


@pytest.fixture
def engine(chess_net: Path) -> Engine:
    return Engine(Network.load(chess_net), memory_mb=MEMORY_MB)
