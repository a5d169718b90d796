"""Levels as pages see them."""

import pytest

from milton.games import GAME_NAMES
from milton.play import level_table


@pytest.mark.parametrize("game", GAME_NAMES)
def test_levels_come_with_their_elo(runless_client, game):
    answer = runless_client.get("/api/levels", params={"game": game}).json()
    table = level_table(game)
    assert answer["scale"] == table.scale
    assert [(level["number"], level["name"], level["elo"]) for level in answer["levels"]] == [
        (number, level.name, level.elo) for number, level in enumerate(table.levels, start=1)
    ]
