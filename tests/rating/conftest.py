from collections.abc import Iterator
from pathlib import Path

import pytest
from small_nets import SMALL_NETS, write_net

from milton.rating.workers import close_players


@pytest.fixture
def network(tmp_path: Path) -> Path:
    return write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-chess"])


@pytest.fixture(autouse=True)
def _no_player_outlives_its_test() -> Iterator[None]:
    yield
    close_players()
