from pathlib import Path

import pytest
from small_nets import SMALL_NETS

from milton.nets import NetDescription


@pytest.fixture(params=SMALL_NETS)
def description(request: pytest.FixtureRequest) -> NetDescription:
    """Every family for every game it plays."""
    return SMALL_NETS[request.param]


@pytest.fixture
def net_path(tmp_path: Path) -> Path:
    return tmp_path / "net.safetensors"
