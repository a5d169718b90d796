from collections.abc import Iterator

import pytest

from milton.rating.workers import close_players


@pytest.fixture(autouse=True)
def _no_player_outlives_its_test() -> Iterator[None]:
    yield
    close_players()
