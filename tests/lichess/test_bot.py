"""The bot as a whole: slots, floods, champions, matchmaking, stopping, a token that is taken away."""

import asyncio
import json
import re
from io import StringIO

import pytest
from lichess_bot import QUICK, Table, fake, play, quick_settings, somebody
from rich.console import Console

from milton.config import LichessSettings, Settings
from milton.lichess.failures import TokenError
from milton.lichess.records import GameArchive
from milton.lichess.service import Service
from milton.lichess.testing import Behaviour, Fault, Opponent, random_moves, serving
from milton.lichess.views import PlainView
from milton.play import Network
from milton.records.bot_files import LIST_NAME
from milton.rundir import RunDir

LONG = {"think_s": 0.02, "resigns_at": 200}


# ActiveGames


@pytest.mark.parametrize("num_challenges", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_a_flood_of_challenges_fills_the_slots_and_no_more(tmp_path, num_challenges):
    lichess = fake(challenge_life_s=600)

    async def scenario(table: Table) -> None:
        for number in range(num_challenges):
            lichess.challenge(somebody(number, think_s=1.0))
        await lichess.until(lambda: len(lichess.games) + len(lichess.declined) == num_challenges)
        assert len(table.bot.active_games) == len(lichess.running_games()) == 8

    play(lichess, tmp_path, scenario, concurrency=8)
    assert lichess.peak_games == 8
    assert set(lichess.declined.values()) == {"later"}


@pytest.mark.parametrize(
    ("settings", "at_once"),
    [({"threads": 3}, 3), ({"threads": 200}, 64), ({"threads": 1, "concurrency": 5}, 5)],
)
def test_without_a_wish_as_many_games_are_played_as_there_are_threads(settings, at_once):
    assert LichessSettings.model_validate(settings).num_games_at_once == at_once


def test_as_many_games_as_were_asked_for_are_begun_and_no_more(tmp_path):
    lichess = fake(challenge_life_s=600)
    settings = quick_settings(tmp_path, concurrency=4)

    async def scenario() -> None:
        async with serving(lichess) as address:
            here = settings.model_copy(update={"base_url": address})
            service = Service(here, Network.uniform("chess"), timing=QUICK, max_games=2)
            view = PlainView(Console(file=StringIO()))
            playing = asyncio.create_task(service.play(view, lichess.token))
            await lichess.until(lambda: lichess.requests["events"] > 0)
            for number in range(6):
                lichess.challenge(somebody(number, resigns_at=8))
            figures = await playing
            assert figures.num_games == 2

    asyncio.run(scenario())
    assert len(lichess.games) == 2


def test_a_flood_under_limits_does_not_hold_up_a_game(tmp_path):
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(Fault.TOO_MANY_REQUESTS, "decline")

    async def scenario(table: Table) -> None:
        for number in range(50):
            lichess.challenge(somebody(number), variant="atomic")
        lichess.challenge(somebody(99, resigns_at=8))
        await lichess.until(lambda: len(lichess.finished_games()) == 1)

    play(lichess, tmp_path, scenario)
    assert lichess.requests["decline"] == 1


def test_a_challenge_that_was_taken_back_leaves_no_slot_behind(tmp_path):
    lichess = fake()
    lichess.faults.once(Fault.SERVER_ERROR, "accept", times=2)

    async def scenario(table: Table) -> None:
        challenge_id = lichess.challenge(somebody())
        await lichess.until(lambda: lichess.requests["accept"] >= 1)
        lichess.cancel_challenge(challenge_id)
        await table.bot.active_games.wait_until_empty()

    play(lichess, tmp_path, scenario)
    assert lichess.games == {}


def test_a_slot_is_free_again_after_each_game(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        for number in range(4):
            await table.bot.active_games.wait_until_empty()
            lichess.challenge(somebody(number, resigns_at=4))
            await lichess.until(lambda number=number: len(lichess.finished_games()) == number + 1)

    play(lichess, tmp_path, scenario, concurrency=1)
    assert lichess.peak_games == 1


def test_one_opponent_has_so_many_games_a_day(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        for number in range(2):
            lichess.challenge(somebody(resigns_at=4))
            await lichess.until(lambda number=number: len(lichess.finished_games()) == number + 1)
            await table.bot.active_games.wait_until_empty()
        challenge_id = lichess.challenge(somebody(resigns_at=4))
        await lichess.until(lambda: challenge_id in lichess.declined)

    play(lichess, tmp_path, scenario, games_per_opponent_per_day=2)
    assert list(lichess.declined.values()) == ["later"]
    assert GameArchive(tmp_path).games_with("SOMEBODY0") == 2, "a restart does not forget"


# Champions


def promote(run: RunDir, iteration: int, network) -> None:
    checkpoint = run.iteration_dir(iteration, create=True) / "candidate.safetensors"
    checkpoint.write_bytes(network.read_bytes())
    run.promote(iteration, checkpoint)


@pytest.mark.parametrize("hot_swap", ["new_games", "between_moves"])
def test_a_new_champion_takes_over_without_dropping_a_game(tmp_path, networks, hot_swap):
    lichess = fake()
    first, second = (Network.load(path, "chess").sha256[:8] for path in networks)

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(1, resigns_at=40, think_s=0.01))
        await lichess.until(lambda: any(game.ply >= 6 for game in lichess.games.values()))
        promote(run, 2, networks[1])
        lichess.challenge(somebody(2, resigns_at=4))
        await lichess.until(lambda: len(lichess.finished_games()) == 2)
        await table.bot.active_games.wait_until_empty()

    with RunDir.create(tmp_path / "run", Settings()) as run:
        promote(run, 1, networks[0])
        table = play(
            lichess,
            tmp_path / "games",
            scenario,
            network=Network.load(networks[0], "chess"),
            run=run.path,
            hot_swap=hot_swap,
        )
    listed = (tmp_path / "games" / LIST_NAME).read_text().splitlines()
    used = {game["opponent"]: game["network"].split()[-1] for game in map(json.loads, listed)}
    assert used["somebody2"] == second
    assert used["somebody1"] == (first if hot_swap == "new_games" else second)
    assert table.bot.figures.num_swaps == 1
    taken_over = [line for line in table.said if re.search(rf" continues with .*{second} at ply \d+$", line)]
    assert len(taken_over) == (hot_swap == "between_moves")
    assert all(game.status == "resign" for game in lichess.finished_games())


def test_a_champion_that_cannot_be_loaded_changes_nothing(tmp_path, networks):
    lichess = fake()

    async def scenario(table: Table) -> None:
        checkpoint = run.iteration_dir(2, create=True) / "candidate.safetensors"
        checkpoint.write_bytes(networks[1].read_bytes())
        run.promote(2, checkpoint)
        checkpoint.write_bytes(b"damaged")
        lichess.challenge(somebody(resigns_at=4))
        await lichess.until(lambda: len(lichess.finished_games()) == 1)

    with RunDir.create(tmp_path / "run", Settings()) as run:
        promote(run, 1, networks[0])
        network = Network.load(networks[0], "chess")
        table = play(lichess, tmp_path / "games", scenario, network=network, run=run.path)
    assert any("cannot be used" in text for text in table.said)


def test_pondering_stays_within_the_cores(tmp_path, networks):
    lichess = fake()

    async def scenario(table: Table) -> None:
        may_ponder = table.bot._context.may_ponder
        first = somebody(1, **LONG)
        lichess.challenge(first)
        await lichess.until(lambda: any(game.ply >= 6 for game in lichess.games.values()))
        assert may_ponder()
        for number in range(2, 4):
            lichess.challenge(somebody(number, **LONG))
        await lichess.until(lambda: len(lichess.running_games()) == 3)
        assert not may_ponder()
        first.behaviour = Behaviour(resigns_at=0)
        await lichess.until(lambda: bool(lichess.finished_games()))

    network = Network.load(networks[0], "chess")
    play(lichess, tmp_path, scenario, network=network, ponder=True, threads=2, concurrency=4)
    assert lichess.duplicate_moves == []
    assert lichess.illegal_moves == []


# Matchmaking

MATCHING = {"matchmaking": True, "matchmaking_every_s": 1, "matchmaking_initial_s": 180}


def online(name: str, rating: int = 1500, **behaviour) -> Opponent:
    bot = Opponent(name, random_moves(1), rating=rating, is_bot=True)
    bot.behaviour = Behaviour(**({"resigns_at": 4} | behaviour))
    return bot


def test_an_idle_bot_finds_an_opponent_in_its_window(tmp_path):
    lichess = fake()
    lichess.online = [online("FarAwayBot", 2600), online("NearBot", 1600)]

    async def scenario(table: Table) -> None:
        await lichess.until(lambda: len(lichess.finished_games()) == 2)

    play(lichess, tmp_path, scenario, **MATCHING)
    assert {game.opponent.name for game in lichess.games.values()} == {"NearBot"}
    assert lichess.peak_games == 1


@pytest.mark.parametrize("reaction", ["decline", "ignore"])
def test_whoever_declines_is_not_asked_again(tmp_path, reaction):
    lichess = fake()
    lichess.online = [online("NoBot", on_challenge=reaction)]

    async def scenario(table: Table) -> None:
        await lichess.until(lambda: lichess.requests["challenge"] == 1)
        await lichess.until(lambda: lichess.requests["online"] >= 3)
        assert len(table.bot.active_games) == 0

    play(lichess, tmp_path, scenario, **MATCHING)
    assert lichess.requests["challenge"] == 1


def test_the_daily_limit_of_lichess_ends_matchmaking(tmp_path):
    lichess = fake()
    lichess.num_bot_games = 100
    lichess.online = [online("NearBot")]

    async def scenario(table: Table) -> None:
        await lichess.until(lambda: lichess.answers[429] == 1)
        lichess.challenge(somebody(resigns_at=4))
        await lichess.until(lambda: len(lichess.finished_games()) == 1)
        assert not table.bot._matchmaker.is_due

    table = play(lichess, tmp_path, scenario, **MATCHING)
    assert any("no challenges for 86000 s" in text for text in table.said)


# Stopping


def test_stopping_finishes_the_games_and_takes_no_more(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(1, resigns_at=30))
        await lichess.until(lambda: any(game.ply >= 4 for game in lichess.games.values()))
        table.bot.stop()
        challenge_id = lichess.challenge(somebody(2))
        await lichess.until(lambda: challenge_id in lichess.declined)
        await table.running

    play(lichess, tmp_path, scenario)
    assert [game.status for game in lichess.games.values()] == ["resign"]
    assert list(lichess.declined.values()) == ["later"]


def test_stopping_may_resign(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(1, **LONG))
        lichess.challenge(somebody(2, starts=False), bot_is_white=False)
        await lichess.until(lambda: any(game.ply >= 6 for game in lichess.games.values()))
        await lichess.until(lambda: lichess.requests["game"] == 2)
        table.bot.stop()
        await table.running

    play(lichess, tmp_path, scenario, on_stop="resign")
    assert sorted(game.status for game in lichess.games.values()) == ["aborted", "resign"]
    assert all(game.winner != game.bot_colour for game in lichess.games.values())


def test_leaving_is_immediate(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        lichess.challenge(somebody(1, **LONG))
        await lichess.until(lambda: any(game.ply >= 4 for game in lichess.games.values()))
        table.bot.stop()
        table.bot.stop("leave")
        await table.running
        assert len(lichess.running_games()) == 1
        assert len(table.bot.active_games) == 0

    play(lichess, tmp_path, scenario)


def test_a_revoked_token_ends_the_bot(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        for number in range(3):
            lichess.challenge(somebody(number, **LONG))
        await lichess.until(lambda: len(lichess.running_games()) == 3)
        token, lichess.token = lichess.token, "another"
        with pytest.raises(TokenError, match="revoked") as caught:
            await table.running
        assert token not in str(caught.value)
        assert not any(token in text for text in table.said)

    play(lichess, tmp_path, scenario)
