"""Every test has a user's folder of its own: the monthly budget is kept there."""

import pytest
from chat_server import KEY


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
