"""What goes wrong in one game stays in it, and what a server sends has bounds."""

import asyncio
import gzip
import tracemalloc
from collections.abc import AsyncIterator
from typing import ClassVar

import pytest
from lichess_bot import QUICK, Table, fake, play, somebody
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from milton.lichess import session as session_module
from milton.lichess.client import MAX_BODY_BYTES, MAX_LINE_BYTES, LichessClient, _bounded_lines
from milton.lichess.events import read_account_event
from milton.lichess.failures import UnreachableError
from milton.lichess.testing import FakeGame, Fault
from milton.lichess.testing.serving import serving_app

LONG = {"think_s": 0.02, "resigns_at": 60}


def two_games(tmp_path, spoil, **settings) -> tuple[FakeGame, FakeGame, Table]:
    """A game that `spoil` makes odd once both have begun, and one that must not notice."""
    lichess = fake()
    games: list[FakeGame] = []

    async def scenario(table: Table) -> None:
        ids = [lichess.challenge(somebody(number, **LONG)) for number in (1, 2)]
        await lichess.until(lambda: all(i in lichess.games and lichess.games[i].ply >= 2 for i in ids))
        games.extend(lichess.games[i] for i in ids)
        spoil(lichess, games[0])
        await lichess.until(lambda: all(game.is_over for game in games))
        await table.bot.active_games.wait_until_empty()
        assert not table.running.done(), "the bot goes on"

    table = play(lichess, tmp_path, scenario, **settings)
    return games[0], games[1], table


def reconnect(lichess, game: FakeGame, **changes: object) -> None:
    """The next connection to a game tells something else about it."""
    game.full = lambda: {**FakeGame.full(game), **changes}
    lichess.game_listeners[game.id].close()


@pytest.mark.parametrize(
    "changes",
    [
        {"initialFen": "banana"},
        {"variant": {"key": "atomic"}},
        {"variant": {"key": "chess960"}, "initialFen": "startpos"},
        {"white": {"id": "x"}, "black": {"id": "y"}},
        {"initialFen": None},
        {"variant": "standard"},
        {"state": {"type": "gameState", "moves": "e2e5", "status": "started"}},
        {"state": "the same at every connection"},
        {"state": {"type": "gameState", "moves": "g1f3 g8f6 f3g1 f6g8 " * 20_000, "status": "started"}},
    ],
)
def test_a_game_that_turns_out_unplayable_is_resigned_and_the_other_goes_on(tmp_path, changes):
    odd, other, table = two_games(tmp_path, lambda lichess, game: reconnect(lichess, game, **changes))
    assert (odd.status, odd.winner) == ("resign", not odd.bot_colour)
    assert other.winner == other.bot_colour
    assert len(table.bot.active_games) == 0


def test_an_error_that_nobody_foresaw_stays_in_its_game(tmp_path, monkeypatch):
    real = session_module.pgn_text
    failed: list[str] = []

    def pgn_text(record):
        if not failed:
            failed.append(record.tags["Site"].rpartition("/")[2])
            raise ZeroDivisionError("unforeseen")
        return real(record)

    monkeypatch.setattr(session_module, "pgn_text", pgn_text)
    _, _, table = two_games(tmp_path, lambda *_: None)
    assert table.bot.figures.num_failures == 1
    (line,) = [text for text in table.said if "ZeroDivisionError" in text]
    assert failed[0] in line
    log = tmp_path / "home" / "failures.log"
    assert str(log) in line
    assert "Traceback" in log.read_text()


def test_after_a_takeback_to_our_turn_a_move_is_sent(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        begun = lichess.challenge(somebody(think_s=0.3, resigns_at=9), bot_is_white=True)
        await lichess.until(lambda: begun in lichess.games and lichess.games[begun].ply == 5)
        game = lichess.games[begun]
        game.take_back(1)  # while the opponent thinks
        assert game.is_bots_turn
        before = len(game.bot_moves)
        await lichess.until(lambda: len(game.bot_moves) > before)
        await lichess.until(lambda: game.is_over)
        await table.bot.active_games.wait_until_empty()

    play(lichess, tmp_path, scenario)
    assert lichess.finished_games()[0].status == "resign"


# Bounds


def asked(respond, conversation) -> LichessClient:
    """`conversation(client)` with a server whose every answer is `respond(request)`."""
    app = Starlette(routes=[Route("/{path:path}", respond, methods=["GET", "POST"])])

    async def run() -> LichessClient:
        async with serving_app(app) as address, LichessClient(address, "lip_token", QUICK) as client:
            await conversation(client)
            return client

    return asyncio.run(run())


def account(client: LichessClient, **changes):
    return client.request(client.new_throttle(), "GET", "/api/account", num_attempts=1, **changes)


async def read_all(client: LichessClient) -> None:
    async for _ in client.follow(client.new_throttle(), "/api/stream/event", read_account_event):
        pass


async def follow_for(client: LichessClient, seconds: float) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(read_all(client), seconds)


async def follow_until_left(client: LichessClient) -> None:
    """Until a connection was given up for the first time."""
    following = asyncio.create_task(read_all(client))
    async with asyncio.timeout(60):
        while client.figures.num_reconnects == 0:
            await asyncio.sleep(0.01)
    following.cancel()
    await asyncio.wait([following])


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b"x" * 65536
        await asyncio.sleep(0)


def test_a_line_without_end_is_left_after_a_megabyte():
    async def respond(_: Request) -> Response:
        return StreamingResponse(endless(), media_type="application/x-ndjson")

    async def conversation(client: LichessClient) -> None:
        tracemalloc.start()
        try:
            await follow_until_left(client)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 16 * MAX_LINE_BYTES

    asked(respond, conversation)


def test_an_answer_without_end_is_left_at_its_bound():
    async def respond(_: Request) -> Response:
        return StreamingResponse(endless(), media_type="application/json")

    async def conversation(client: LichessClient) -> None:
        with pytest.raises(UnreachableError, match=f"{MAX_BODY_BYTES:,} bytes"):
            await account(client)

    asked(respond, conversation)


def test_a_compressed_answer_is_refused_before_it_grows():
    bomb = gzip.compress(gzip.compress(b"\0" * (64 << 20)))

    async def respond(_: Request) -> Response:
        return Response(bomb, headers={"Content-Encoding": "gzip, gzip"})

    async def conversation(client: LichessClient) -> None:
        with pytest.raises(UnreachableError, match="compression"):
            await account(client)

    asked(respond, conversation)


@pytest.mark.parametrize("media_type", ["text/html", "application/x-ndjson"])
def test_a_page_instead_of_a_stream_is_asked_for_ever_more_rarely(media_type):
    page = "".join(f"<p>line {number}</p>\n\n" for number in range(200))
    client = asked(
        lambda _: HTMLResponse(page, media_type=media_type), lambda client: follow_for(client, 2.0)
    )
    # Pauses double from 0.01…0.02 s to 0.1…0.2 s: some 20 in two seconds. Without them it would be hundreds.
    assert client.figures.num_reconnects <= 25


DEEP = "[" * 200_000
ODD_ANSWERS = {
    "an error nested deeply": Response(DEEP, 500),
    "a limit nested deeply": Response('{"ratelimit":' * 100_000, 429),
    "a year beyond all dates": Response("", 429, {"Retry-After": f"Mon, 01 Jan {'9' * 14} 00:00:00 GMT"}),
    "a wait beyond all numbers": Response('{"ratelimit": {"seconds": ' + "9" * 4000 + "}}", 429),
    "a redirect": Response("", 302, {"Location": "http://127.0.0.1:9/"}),
    "a line nested deeply": Response(DEEP + "\n"),
}


@pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
def test_no_answer_ends_a_stream(answer):
    """Only RefusedError and TokenError may: whatever else came out of it would end the bot."""
    client = asked(lambda _: answer, lambda client: follow_for(client, 0.5))
    assert client.figures.num_requests >= 1


@pytest.mark.parametrize("asked_s", ["0", "-5"])
def test_a_limit_without_a_wait_is_not_asked_again_at_once(asked_s):
    answer = Response("", 429, {"Retry-After": asked_s})
    client = asked(lambda _: answer, lambda client: follow_for(client, 0.5))
    assert client.figures.num_requests <= 0.5 / QUICK.retry_first_s


def test_a_stream_of_the_account_that_a_gateway_refuses_is_asked_again(tmp_path):
    lichess = fake()

    async def scenario(table: Table) -> None:
        await lichess.until(lambda: lichess.requests["events"] >= 1)
        lichess.faults.once(Fault.NOT_FOUND, "events", 2)
        lichess.event_listeners.close()
        begun = lichess.challenge(somebody(resigns_at=4))
        await lichess.until(lambda: begun in lichess.games and lichess.games[begun].is_over)
        await table.bot.active_games.wait_until_empty()
        assert not table.running.done()

    play(lichess, tmp_path, scenario)


class Trickle:
    """A response whose long line comes byte by byte."""

    headers: ClassVar[dict[str, str]] = {}

    async def aiter_raw(self) -> AsyncIterator[bytes]:
        for _ in range(MAX_LINE_BYTES // 4):
            yield b"x"
        yield b"\nnext\r\n"


def test_a_line_that_comes_byte_by_byte_costs_no_more_than_its_length():
    """Copied for every byte, this quarter of a megabyte would take a minute."""

    async def lines() -> list[str]:
        return [line async for line in _bounded_lines(Trickle())]

    assert asyncio.run(asyncio.wait_for(lines(), 60)) == ["x" * (MAX_LINE_BYTES // 4), "next"]
