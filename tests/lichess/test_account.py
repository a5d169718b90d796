"""Logging in says what is wrong and how to mend it."""

import asyncio
from pathlib import Path

import pytest
from lichess_bot import quick_settings, somebody
from rich.console import Console

from milton.lichess.account import log_in, require_bot
from milton.lichess.calls import AccountCalls
from milton.lichess.client import LichessClient
from milton.lichess.failures import TokenError
from milton.lichess.figures import Figures
from milton.lichess.service import Service
from milton.lichess.testing import FakeLichess, serving
from milton.lichess.views import JsonView
from milton.play import Network


def logged_in(lichess: FakeLichess, token: str = "lip_test", **settings):
    async def run():
        async with serving(lichess) as address, LichessClient(address, token) as client:
            calls = AccountCalls(client)
            account = await log_in(calls, quick_settings("unused", base_url=address, **settings), token)
            require_bot(account)
            return account

    return asyncio.run(run())


def test_a_good_token_logs_in():
    assert logged_in(FakeLichess(username="MiltonBot"), account="miltonbot").username == "MiltonBot"


def test_an_unknown_token_is_refused_with_the_place_to_make_one():
    with pytest.raises(TokenError, match=r"oauth/token/create\?scopes\[\]=bot:play") as caught:
        logged_in(FakeLichess(), token="lip_wrong")
    assert "lip_wrong" not in str(caught.value)
    assert "env:LICHESS_TOKEN" in str(caught.value)


def test_a_token_for_something_else_is_refused():
    lichess = FakeLichess()
    lichess.scopes = "challenge:read,challenge:write"
    with pytest.raises(TokenError, match="allows challenge:read, challenge:write"):
        logged_in(lichess)


def test_a_token_of_another_account_is_refused():
    with pytest.raises(TokenError, match="belongs to 'MiltonBot', the settings want 'Somebody'"):
        logged_in(FakeLichess(), account="Somebody")


def test_a_persons_account_is_refused_with_a_warning():
    with pytest.raises(TokenError, match=r"--upgrade.*cannot be undone"):
        logged_in(FakeLichess(is_bot=False))


def served(lichess: FakeLichess, folder: Path, answer: bool) -> Figures:
    """A service that may upgrade the account if the answer is yes, until it has played one game."""

    async def run() -> Figures:
        async with serving(lichess) as address:
            service = Service(
                quick_settings(folder, base_url=address),
                Network.uniform("chess"),
                max_games=1,
                may_upgrade=lambda _: answer,
            )
            playing = asyncio.create_task(service.play(JsonView(Console(quiet=True)), lichess.token))
            if answer:
                await lichess.until(lambda: lichess.requests["events"] > 0)
                lichess.challenge(somebody(resigns_at=4))
            return await playing

    return asyncio.run(run())


def test_an_account_becomes_a_bot_if_that_is_wanted(tmp_path):
    lichess = FakeLichess(is_bot=False)
    assert served(lichess, tmp_path, answer=True).num_games == 1
    assert lichess.is_bot


def test_an_account_stays_a_persons_if_that_is_wanted(tmp_path):
    lichess = FakeLichess(is_bot=False)
    with pytest.raises(TokenError, match="person's account"):
        served(lichess, tmp_path, answer=False)
    assert lichess.requests["upgrade"] == 0
