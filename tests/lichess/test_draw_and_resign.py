"""Draws and resignations need values that hold."""

from milton.config import LichessSettings
from milton.lichess.draw_and_resign import DrawAndResignPolicy


def policy_after(*values: float, **settings) -> DrawAndResignPolicy:
    made = DrawAndResignPolicy(
        LichessSettings.model_validate({"draw_moves": 3, "resign_moves": 2} | settings)
    )
    for value in values:
        made.add(value)
    return made


def test_a_level_game_is_level_only_if_it_was_so_for_some_moves():
    assert policy_after(0.5, 0.01, -0.04, 0.0).is_level(ply=80)
    assert not policy_after(0.01, 0.0).is_level(ply=80)
    assert not policy_after(0.0, 0.0, 0.2).is_level(ply=80)
    assert not policy_after(0.0, 0.0, 0.0).is_level(ply=59)


def test_a_draw_is_not_offered_at_every_move():
    level = policy_after(0.0, 0.0, 0.0)
    assert level.should_offer_draw(ply=80)
    for _ in range(2):
        level.add(0.0)
        assert not level.should_offer_draw(ply=82)
    level.add(0.0)
    assert level.should_offer_draw(ply=86)


def test_resigning_is_off_unless_asked_for():
    assert not policy_after(-1.0, -1.0, -1.0).should_resign()
    assert policy_after(-1.0, -0.98, resign_enabled=True).should_resign()
    assert not policy_after(-1.0, -0.5, resign_enabled=True).should_resign()
    assert not policy_after(-1.0, resign_enabled=True).should_resign()
