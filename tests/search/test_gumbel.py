"""Sequential halving at the root: what is proven goes before what was sampled."""

import pytest
from selfplay_games import play_games, replay, selfplay_settings

from milton.replay import PositionFlag

NUM_GAMES = 20


@pytest.mark.parametrize("game", ["connect_four", "santorini"])
def test_a_proven_win_is_won_without_temperature(game):
    settings = selfplay_settings(
        gumbel_root=True,
        gumbel_considered_moves=8,
        simulations=200,
        full_search_fraction=1.0,
        temperature_plies=0,
    )
    settings.temperature_final = 0.0
    columns = play_games(game, settings, NUM_GAMES)
    proven = 0
    for index in range(NUM_GAMES):
        for line, position in replay(game, columns, index):
            if position.flags & PositionFlag.PROVEN and position.root_value == 1.0:
                assert int(columns["winners"][index]) == line.side_to_move
                proven += 1
    assert proven > NUM_GAMES
