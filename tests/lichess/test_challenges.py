"""Which challenges are accepted, and what the others are told."""

import pytest

from milton.config import LichessSettings
from milton.lichess.challenges import Situation, reason_to_decline
from milton.lichess.events import Challenge
from milton.lichess.matchmaking import speed_of

FREE = Situation(has_room=True, is_stopping=False, games_with_opponent=0, games_with_bots=0)
KINGS = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


def challenge(clock=(180, 0), *, title=None, rating=1500, **changes) -> Challenge:
    control = {"type": "clock", "limit": clock[0], "increment": clock[1]}
    values = {
        "id": "H9fIRZUk",
        "challenger": {"id": "bobby", "name": "Bobby", "rating": rating, "title": title},
        "variant": {"key": "standard"},
        "rated": True,
        "timeControl": control,
    }
    return Challenge.model_validate(values | changes)


def reason(asked: Challenge, situation: Situation = FREE, **settings) -> str | None:
    return reason_to_decline(asked, LichessSettings.model_validate(settings), situation)


@pytest.mark.parametrize(
    "clock", [(60, 0), (60, 1), (180, 0), (180, 2), (300, 3), (600, 5), (900, 10), (1800, 20)]
)
@pytest.mark.parametrize("rated", [True, False])
def test_standard_games_from_one_to_thirty_minutes_are_accepted(clock, rated):
    assert reason(challenge(clock, rated=rated)) is None


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (challenge(variant={"key": "atomic"}), "standard"),
        (challenge(variant={"key": "somethingNew"}), "standard"),
        (challenge(variant={"key": "fromPosition"}, initialFen=KINGS), "standard"),
        (challenge((30, 0)), "tooFast"),
        (challenge((0, 0)), "tooFast"),
        (challenge((-5, 0)), "tooFast"),
        (challenge((1860, 0)), "tooSlow"),
        (challenge((10**15, 0)), "tooSlow"),
        (challenge((180, 30)), "timeControl"),
        (challenge((180, -2)), "timeControl"),
        (challenge(timeControl={"type": "unlimited"}), "timeControl"),
        (challenge(timeControl={"type": "correspondence", "daysPerTurn": 2}), "timeControl"),
        (challenge(timeControl={"type": "clock"}), "timeControl"),
        (challenge(challenger=None), "generic"),
    ],
)
def test_other_games_are_declined_with_their_reason(asked, answer):
    assert reason(asked) == answer


@pytest.mark.parametrize(
    ("settings", "asked", "answer"),
    [
        ({"accept_rated": False}, challenge(), "casual"),
        ({"accept_casual": False}, challenge(rated=False), "rated"),
        ({"accept_rated": False, "accept_casual": False}, challenge(), "generic"),
        ({"accept_bots": False}, challenge(title="BOT"), "noBot"),
        ({"accept_humans": False}, challenge(), "onlyBot"),
        ({"accept_humans": False}, challenge(title="BOT"), None),
        ({"min_rating": 1600}, challenge(), "generic"),
        ({"max_rating": 1400}, challenge(), "generic"),
        ({"min_rating": 1600}, challenge(rating=None), None),
        ({"block_list": ["BOBBY"]}, challenge(), "generic"),
        ({"allow_list": ["Bobby"], "min_rating": 2000, "accept_humans": False}, challenge(), None),
        ({"allow_list": ["Bobby"], "block_list": ["Bobby"]}, challenge(), "generic"),
        ({"max_increment_s": 1}, challenge((180, 2)), "timeControl"),
        ({"min_increment_s": 2}, challenge((180, 0)), "timeControl"),
        ({"min_initial_s": 0}, challenge((0, 0)), "tooFast"),
    ],
)
def test_settings_decide(settings, asked, answer):
    assert reason(asked, **settings) == answer


def test_positions_are_looked_at_before_they_are_accepted():
    accepted = {"accept_variants": ["standard", "fromPosition"]}
    variant = {"key": "fromPosition"}
    assert reason(challenge(variant=variant, initialFen=KINGS), **accepted) is None
    mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    for nonsense in (None, "", "8/8 w", mated):
        assert reason(challenge(variant=variant, initialFen=nonsense), **accepted) == "variant"
    assert reason(challenge(variant={"key": "atomic"}), **accepted) == "variant"


@pytest.mark.parametrize(
    "situation",
    [
        Situation(False, False, 0, 0),
        Situation(True, True, 0, 0),
        Situation(True, False, 20, 0),
    ],
)
def test_what_passes_is_declined_until_later(situation):
    assert reason(challenge(), situation) == "later"
    assert reason(challenge((30, 0)), situation) == "tooFast", "lasting reasons come first"


def test_a_day_has_a_hundred_games_with_bots():
    tired = Situation(True, False, 0, games_with_bots=100)
    assert reason(challenge(title="BOT"), tired) == "later"
    assert reason(challenge(), tired) is None


@pytest.mark.parametrize(
    ("clock", "speed"),
    [
        ((60, 0), "bullet"),
        ((180, 0), "blitz"),
        ((180, 2), "blitz"),
        ((600, 0), "rapid"),
        ((300, 5), "rapid"),
        ((1800, 0), "classical"),
    ],
)
def test_speeds_are_lichess_s(clock, speed):
    assert speed_of(*clock) == speed
