"""Requests, limits, retries and streams against a real server on loopback."""

import asyncio
import datetime as dt
import email.utils

import pytest
from lichess_bot import HASTY, QUICK

from milton.errors import ConfigError
from milton.lichess.client import LichessClient, _asked_wait_s
from milton.lichess.events import GameStart, read_account_event
from milton.lichess.failures import RateLimitedError, RefusedError, TokenError, UnreachableError
from milton.lichess.testing import FakeLichess, Fault, serving
from milton.lichess.throttle import LONGEST_WAIT_S, Throttle
from milton.lichess.timing import Backoff, Timing

TOKEN = "lip_averysecrettoken"


def talk(lichess: FakeLichess, conversation, token: str = TOKEN, timing: Timing = QUICK) -> LichessClient:
    """Runs `conversation(client)` against the server."""

    async def run() -> LichessClient:
        async with serving(lichess) as address, LichessClient(address, token, timing) as client:
            await conversation(client)
            return client

    return asyncio.run(run())


def fake(**changes) -> FakeLichess:
    return FakeLichess(token=TOKEN, keep_alive_s=0.2, **changes)


def account(client: LichessClient, **changes):
    return client.request(client.new_throttle(), "GET", "/api/account", **changes)


# Limits


def test_a_limit_that_does_not_say_how_long_is_a_minute_then_twice_as_long_up_to_ten():
    throttle = Throttle(Timing())
    assert [throttle.close(None) for _ in range(6)] == [60, 120, 240, 480, 600, 600]
    throttle.succeeded()
    assert throttle.close(None) == 60


def test_a_limit_that_says_how_long_is_obeyed():
    throttle = Throttle(Timing())
    assert throttle.close(7.0) == 7.0
    assert 0 < throttle.closed_for_s <= 7
    assert throttle.close(1e12) == LONGEST_WAIT_S
    assert throttle.close(-5.0) == Timing().retry_first_s
    assert throttle.close(None) == 60, "what was told does not count as a penalty"


def test_the_wait_is_read_from_header_or_body():
    assert _asked_wait_s("12", "") == 12
    assert _asked_wait_s(None, '{"error": "…", "ratelimit": {"key": "k", "seconds": 86398}}') == 86398
    assert _asked_wait_s("soon", '{"ratelimit": {"seconds": 5}}') == 5
    in_a_day = email.utils.localtime() + dt.timedelta(days=1)
    assert 0 < _asked_wait_s(email.utils.format_datetime(in_a_day), "") <= 24 * 3600
    for text in ("", "<html>", "[]", '{"ratelimit": 3}', '{"ratelimit": {"seconds": "nan"}}', "null"):
        assert _asked_wait_s(None, text) is None
    assert _asked_wait_s("inf", "") is None


@pytest.mark.parametrize("fault", [Fault.TOO_MANY_REQUESTS, Fault.TOO_MANY_REQUESTS_UNTOLD])
def test_a_limited_request_is_made_again_after_the_wait(fault):
    lichess = fake()
    lichess.faults.retry_after_s = 0.3
    lichess.faults.once(fault, "account", times=2)
    client = talk(lichess, account)
    assert lichess.requests["account"] == 3
    assert client.figures.num_rate_limited == 2
    assert client.figures.num_retries == 0


def test_whoever_has_no_time_is_told_at_once():
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(Fault.TOO_MANY_REQUESTS, "account")

    async def conversation(client):
        throttle = client.new_throttle()
        for _ in range(2):
            with pytest.raises(RateLimitedError) as caught:
                await client.request(throttle, "GET", "/api/account", patience_s=5)
            assert caught.value.wait_s > 3500

    talk(lichess, conversation)
    assert lichess.requests["account"] == 1, "the throttle remembers"


def test_a_closed_throttle_holds_up_no_other():
    lichess = fake()
    lichess.faults.retry_after_s = 3600
    lichess.faults.once(Fault.TOO_MANY_REQUESTS, "account")

    async def conversation(client):
        waiting = asyncio.create_task(account(client))
        await lichess.until(lambda: lichess.answers[429] == 1)
        await account(client)
        assert not waiting.done()
        waiting.cancel()

    talk(lichess, conversation)


def test_one_endpoint_gets_one_request_at_a_time():
    lichess = fake()
    lichess.faults.slow_s = 0.2
    lichess.faults.once(Fault.SLOW_ANSWER, "account")
    answers_before: list[int] = []

    async def conversation(client):
        throttle = client.new_throttle()

        async def ask() -> None:
            await client.request(throttle, "GET", "/api/account")
            answers_before.append(lichess.requests["account"])

        await asyncio.gather(*(ask() for _ in range(4)))

    talk(lichess, conversation)
    assert answers_before == [1, 2, 3, 4]


# Failures


def test_faults_of_the_server_are_tried_again():
    lichess = fake()
    lichess.faults.once(Fault.SERVER_ERROR, "account", times=3)
    client = talk(lichess, account)
    assert client.figures.num_retries == 3


def test_attempts_are_counted():
    lichess = fake()
    lichess.faults.once(Fault.SERVER_ERROR, "account", times=99)

    async def conversation(client):
        with pytest.raises(UnreachableError, match="502"):
            await account(client, num_attempts=2)

    talk(lichess, conversation)
    assert lichess.requests["account"] == 2


def test_an_answer_that_takes_too_long_is_given_up():
    lichess = fake()
    lichess.faults.slow_s = 30
    lichess.faults.once(Fault.SLOW_ANSWER, "account")
    client = talk(lichess, account, timing=Timing(request_timeout_s=0.3, retry_first_s=0.01))
    assert client.figures.num_retries >= 1  # a busy machine may be late once more


def test_refusals_are_final():
    lichess = fake()

    async def conversation(client):
        with pytest.raises(RefusedError, match="Not found") as caught:
            await client.request(client.new_throttle(), "POST", "/api/challenge/abcdefgh/accept")
        assert caught.value.status == 404

    talk(lichess, conversation)
    assert lichess.requests["accept"] == 1


def test_a_server_that_is_not_there_is_named():
    async def run() -> None:
        async with LichessClient("http://127.0.0.1:9", TOKEN, QUICK) as client:
            with pytest.raises(UnreachableError, match="/api/account: ConnectError"):
                await account(client, num_attempts=1)

    asyncio.run(run())


def test_a_wrong_token_is_told_apart_and_never_repeated():
    lichess = fake()
    lichess.token = "another"

    async def conversation(client):
        with pytest.raises(TokenError) as caught:
            await account(client)
        assert TOKEN not in str(caught.value)
        assert caught.value.__cause__ is None

    talk(lichess, conversation)


def test_a_token_in_an_address_is_not_quoted():
    lichess = fake()

    async def conversation(client):
        with pytest.raises(RefusedError) as caught:
            await client.request(client.new_throttle(), "POST", f"/api/challenge/{TOKEN}/accept")
        assert TOKEN not in str(caught.value)

    talk(lichess, conversation)


def test_a_token_never_travels_unprotected():
    with pytest.raises(ConfigError, match="must begin with https://"):
        LichessClient("http://lichess.org", TOKEN)


def test_pauses_grow_and_stay_within_bounds():
    backoff = Backoff(Timing(retry_first_s=1.0, retry_most_s=30.0))
    pauses = [backoff.next_s() for _ in range(12)]
    for index, pause in enumerate(pauses):
        longest = min(2.0**index, 30.0)
        assert longest / 2 <= pause <= longest
    backoff.succeeded()
    assert backoff.next_s() <= 1.0


# Streams


def follow(
    lichess: FakeLichess, num_games: int, meanwhile=None, timing: Timing = QUICK
) -> tuple[list[str], LichessClient]:
    """The ids of the first game starts that a listener hears."""
    heard: list[str] = []

    async def conversation(client):
        if meanwhile is not None:
            helper = asyncio.create_task(meanwhile())
        async for event in client.follow(client.new_throttle(), "/api/stream/event", read_account_event):
            assert isinstance(event, GameStart)
            heard.append(event.game.id)
            if len(heard) >= num_games:
                break
        if meanwhile is not None:
            await helper

    client = talk(lichess, conversation, timing=timing)
    return heard, client


def start(lichess: FakeLichess, game_id: str) -> None:
    lichess.event_listeners.send({"type": "gameStart", "game": {"gameId": game_id}})


def test_empty_lines_keep_a_stream_alive():
    lichess = fake()

    async def meanwhile() -> None:
        await lichess.until(lambda: lichess.requests["events"] == 1)
        num_connections = 0
        # Taken for dead, no connection would last so long.
        while num_connections != lichess.requests["events"]:
            num_connections = lichess.requests["events"]
            assert num_connections < 20
            await asyncio.sleep(1.5 * HASTY.stream_silence_s)
        start(lichess, "aaaaaaaa")

    heard, _ = follow(lichess, 1, meanwhile, HASTY)
    assert heard == ["aaaaaaaa"]


@pytest.mark.parametrize(
    "fault", [Fault.DROP_STREAM, Fault.MALFORMED_LINE, Fault.MISSING_FIELD, Fault.SILENCE]
)
def test_a_stream_that_breaks_in_any_way_is_opened_again(fault):
    lichess = fake()
    lichess.faults.once(fault, "events")

    async def meanwhile() -> None:
        for number in range(2):
            await lichess.until(lambda number=number: lichess.requests["events"] == number + 1)
            start(lichess, f"aaaaaaa{number}")

    heard, client = follow(lichess, 1, meanwhile, HASTY if fault is Fault.SILENCE else QUICK)
    assert heard == ["aaaaaaa1"]
    assert client.figures.num_reconnects >= 1  # on a very busy machine a stream may also seem silent


def test_a_line_without_sense_is_left_only_once():
    """A connection repeats what is current; a broken line in it must not be fled from for ever."""
    lichess = fake()
    nonsense = {"type": "gameStart", "game": {"id": "no/such/id"}}
    lichess.greetings = lambda: [nonsense, {"type": "gameStart", "game": {"id": "aaaaaaaa"}}]
    heard, client = follow(lichess, 1)
    assert heard == ["aaaaaaaa"]
    assert client.figures.num_reconnects == 1
    assert client.figures.num_malformed_lines == 2


@pytest.mark.parametrize("fault", [Fault.TOO_MANY_REQUESTS_UNTOLD, Fault.SERVER_ERROR])
def test_a_stream_that_is_not_opened_is_asked_for_again(fault):
    lichess = fake()
    lichess.faults.once(fault, "events", times=2)
    lichess.greetings = lambda: [{"type": "gameStart", "game": {"id": "aaaaaaaa"}}]
    heard, _ = follow(lichess, 1)
    assert heard == ["aaaaaaaa"]
    assert lichess.requests["events"] == 3
