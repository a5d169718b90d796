"""How the tests share the processes of `pytest -n`: a file stays together, and so does a room whose tests use
one expensive fixture (a browser, a Ray cluster, a learnt run)."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A busy machine may need a minute for what hypothesis expects within a second.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# These go first: the longest pieces of work must not be what the last process is left with.
WHOLE_ROOMS = ("web", "cluster", "webapi", "uci", "deploy")


def room_of(nodeid: str) -> str:
    """`tests/web/test_pages.py::test_x` stands in `web`."""
    return nodeid.split("/")[1]


@pytest.hookimpl(optionalhook=True)  # pytest-xdist comes with the extra `dev`
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadFileScheduling

    class RoomScheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            room = room_of(nodeid)
            return room if room in WHOLE_ROOMS else str(super()._split_scope(nodeid))

    config.option.loadscopereorder = False  # keep the order of the rooms below
    return RoomScheduling(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        order = {room: place for place, room in enumerate(WHOLE_ROOMS)}
        items.sort(key=lambda item: order.get(room_of(item.nodeid), len(order)))
