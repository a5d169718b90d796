"""A starved bot notices, keeps more of its clock and declines what it would lose on time."""

import asyncio

import pytest
from lichess_bot import fake, playing, somebody

from milton.lichess import pace as pace_module
from milton.lichess.pace import MOVE_WORK_S, NUM_LAST_PROBES, NUM_PROBES, Pace, slowdown


def starved(times: float) -> Pace:
    pace = Pace(every_s=None)
    pace.saw(times)
    return pace


def test_work_takes_at_least_the_time_that_the_processor_needs():
    assert slowdown() >= 1.0


@pytest.mark.parametrize(
    ("times", "clock", "is_kept"),
    [
        (1.0, (60, 0), True),
        (1.9, (1, 0), True),  # what a busy second looks like
        (20.0, (60, 0), True),
        (80.0, (60, 0), False),
        (40.0, (60, 1), True),
        (80.0, (600, 0), True),
        (2000.0, (600, 0), False),
    ],
)
def test_games_are_kept_that_leave_time_for_waiting(times, clock, is_kept):
    assert starved(times).can_keep(*clock) is is_kept


def test_the_pace_is_known_before_the_first_game(monkeypatch):
    monkeypatch.setattr(pace_module, "slowdown", lambda: 300.0)
    pace = Pace(every_s=3600.0)
    asyncio.run(pace.begin())
    assert not pace.can_keep(60, 0)


def test_before_anything_was_measured_every_game_is_kept():
    pace = Pace(every_s=None)
    assert pace.move_lag_s == 0.0
    assert pace.can_keep(1, 0)


def test_one_slow_probe_changes_nothing_and_a_lasting_change_does():
    pace = starved(1.0)
    for _ in range(NUM_PROBES):
        pace.saw(1.0)
    pace.saw(500.0)
    assert pace.move_lag_s == 0.0
    for _ in range(NUM_LAST_PROBES):
        pace.saw(101.0)
    assert pace.move_lag_s == pytest.approx(100 * MOVE_WORK_S)


def test_a_busy_minute_is_forgotten_slowly():
    pace = Pace(every_s=None)
    for _ in range(NUM_PROBES // 2):
        pace.saw(101.0)
    for _ in range(NUM_PROBES // 2):
        pace.saw(1.0)
    assert pace.move_lag_s > 0.0
    for _ in range(NUM_PROBES // 2):
        pace.saw(1.0)
    assert pace.move_lag_s == 0.0


def test_a_starved_bot_declines_fast_games_says_so_once_and_goes_on_with_slow_ones(tmp_path):
    async def scenario() -> tuple[list[str], list[str]]:
        lichess = fake()
        async with playing(lichess, tmp_path) as table:
            await lichess.until(lambda: lichess.requests["events"] > 0)
            table.bot._pace.saw(200.0)
            for _ in range(2):
                lichess.challenge(somebody(), initial_s=60)
            await lichess.until(lambda: len(lichess.declined) == 2)
            lichess.challenge(somebody(resigns_at=2), initial_s=900)
            await lichess.until(lambda: [game.status for game in lichess.games.values()] == ["resign"])
            return [str(reason) for reason in lichess.declined.values()], table.said

    reasons, said = asyncio.run(scenario())
    assert reasons == ["tooFast", "tooFast"]
    assert len([line for line in said if "the machine is busy" in line]) == 1
