"""The Bot API over HTTP: addresses, tokens, streams and the faults of answers. Decides nothing."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from .fake_lichess import BOT_GAMES_PER_DAY, FakeLichess
from .faults import Fault
from .listeners import End, Json, Listeners

Answer = Awaitable[Response]
Handler = Callable[[FakeLichess, Request], Answer]

NDJSON = "application/x-ndjson"
OK: Json = {"ok": True}


class ConnectionLost(Exception):  # noqa: N818 it is the network's, not an error of this program
    """Raised inside a stream: the server cuts the connection without a proper end."""


def make_app(lichess: FakeLichess) -> Starlette:
    def route(path: str, endpoint: str, handler: Handler, method: str = "POST") -> Route:
        return Route(path, _guarded(lichess, endpoint, handler), methods=[method], name=endpoint)

    game = "/api/bot/game/{game_id}"
    return Starlette(
        routes=[
            route("/api/token/test", "token", _token_test),
            route("/api/account", "account", _account, "GET"),
            route("/api/bot/account/upgrade", "upgrade", _upgrade),
            route("/api/stream/event", "events", _events, "GET"),
            route("/api/bot/online", "online", _online, "GET"),
            route("/api/challenge/{challenge_id}/accept", "accept", _accept),
            route("/api/challenge/{challenge_id}/decline", "decline", _decline),
            route("/api/challenge/{challenge_id}/cancel", "cancel", _cancel),
            route("/api/challenge/{username}", "challenge", _challenge),
            route("/api/bot/game/stream/{game_id}", "game", _game_stream, "GET"),
            route(f"{game}/move/{{move}}", "move", _move),
            route(f"{game}/chat", "chat", _chat),
            route(f"{game}/draw/{{answer}}", "draw", _draw),
            route(f"{game}/takeback/{{answer}}", "takeback", _takeback),
            route(f"{game}/abort", "abort", _abort),
            route(f"{game}/resign", "resign", _resign),
            route(f"{game}/claim-victory", "claim-victory", _claim_victory),
        ]
    )


def _guarded(lichess: FakeLichess, endpoint: str, handler: Handler) -> Callable[[Request], Answer]:
    """Checks the token, lets faults strike, counts."""

    async def guarded(request: Request) -> Response:
        lichess.requests[endpoint] += 1
        response = await _answer(lichess, endpoint, handler, request)
        lichess.answers[response.status_code] += 1
        lichess.changed()
        return response

    return guarded


async def _answer(lichess: FakeLichess, endpoint: str, handler: Handler, request: Request) -> Response:
    faults = lichess.faults
    is_open = endpoint in ("token", "online")
    if not is_open and request.headers.get("Authorization") != f"Bearer {lichess.token}":
        return JSONResponse({"error": "No such token"}, 401)
    if faults.strikes(Fault.TOO_MANY_REQUESTS, endpoint):
        headers = {"Retry-After": f"{faults.retry_after_s:g}"}
        return JSONResponse({"error": "Too many requests"}, 429, headers=headers)
    if faults.strikes(Fault.TOO_MANY_REQUESTS_UNTOLD, endpoint):
        return Response("<html>Too many requests</html>", 429, media_type="text/html")
    if faults.strikes(Fault.SERVER_ERROR, endpoint):
        return Response("<html>Bad gateway</html>", 502, media_type="text/html")
    if faults.strikes(Fault.NOT_FOUND, endpoint):
        return Response("<html>Not found</html>", 404, media_type="text/html")
    response = await handler(lichess, request)
    if not isinstance(response, StreamingResponse):
        if faults.strikes(Fault.SLOW_ANSWER, endpoint):
            await asyncio.sleep(faults.slow_s)
        if faults.strikes(Fault.LOST_ANSWER, endpoint):
            return JSONResponse({"error": "Internal server error"}, 500)
    return response


# The account


async def _token_test(lichess: FakeLichess, request: Request) -> Response:
    tokens = (await request.body()).decode().split(",")
    known: Json = {"userId": lichess.account_id, "scopes": lichess.scopes, "expires": None}
    return JSONResponse({token: known if token == lichess.token else None for token in tokens})


async def _account(lichess: FakeLichess, _: Request) -> Response:
    title = {"title": "BOT"} if lichess.is_bot else {}
    perfs = {"bullet": {"rating": 1500, "games": 0}, "blitz": {"rating": 1500, "games": 0}}
    return JSONResponse({"id": lichess.account_id, "username": lichess.username, "perfs": perfs, **title})


async def _upgrade(lichess: FakeLichess, _: Request) -> Response:
    lichess.is_bot = True
    return JSONResponse(OK)


async def _events(lichess: FakeLichess, _: Request) -> Response:
    return _stream(lichess, lichess.event_listeners, "events", lichess.greetings())


async def _online(lichess: FakeLichess, _: Request) -> Response:
    bots = [
        {"id": bot.id, "username": bot.name, "title": "BOT", "perfs": {"blitz": {"rating": bot.rating}}}
        for bot in lichess.online
    ]
    return Response("".join(json.dumps(bot) + "\n" for bot in bots), media_type=NDJSON)


# Challenges


async def _accept(lichess: FakeLichess, request: Request) -> Response:
    return _found(lichess.accept(request.path_params["challenge_id"]))


async def _decline(lichess: FakeLichess, request: Request) -> Response:
    reason = (await _form(request)).get("reason", "generic")
    return _found(lichess.decline(request.path_params["challenge_id"], reason))


async def _cancel(lichess: FakeLichess, request: Request) -> Response:
    return _found(lichess.challenges.pop(request.path_params["challenge_id"], None) is not None)


async def _challenge(lichess: FakeLichess, request: Request) -> Response:
    if lichess.num_bot_games >= BOT_GAMES_PER_DAY:
        limit = {"key": "bot.vsBot.day", "seconds": 86_000}
        return JSONResponse(
            {"error": "You played 100 games against other bots today", "ratelimit": limit}, 429
        )
    form = await _form(request)
    values = lichess.challenge_by_bot(
        request.path_params["username"],
        rated=form.get("rated") == "true",
        initial_s=int(form["clock.limit"]),
        increment_s=int(form["clock.increment"]),
    )
    return JSONResponse({"error": "No such user"}, 404) if values is None else JSONResponse(values)


# Games


async def _game_stream(lichess: FakeLichess, request: Request) -> Response:
    game = lichess.games.get(request.path_params["game_id"])
    if game is None:
        return _found(False)
    listeners = lichess.game_listeners[game.id]
    return _stream(lichess, listeners, "game", [game.full()], is_over=game.is_over)


async def _move(lichess: FakeLichess, request: Request) -> Response:
    game = lichess.games[request.path_params["game_id"]]
    offers_draw = request.query_params.get("offeringDraw") == "true"
    return _done(lichess.move(game, request.path_params["move"], offers_draw))


async def _chat(lichess: FakeLichess, request: Request) -> Response:
    form = await _form(request)
    game = lichess.games[request.path_params["game_id"]]
    lichess.say(game, lichess.username, form["text"], form["room"])
    return JSONResponse(OK)


async def _draw(lichess: FakeLichess, request: Request) -> Response:
    game = lichess.games[request.path_params["game_id"]]
    if request.path_params["answer"] == "yes":
        return _done(game.offer_or_accept_draw(game.bot_colour))
    return _done(game.decline_draw(game.bot_colour))


async def _takeback(lichess: FakeLichess, request: Request) -> Response:
    game = lichess.games[request.path_params["game_id"]]
    return _done(request.path_params["answer"] == "no" and game.decline_takeback(game.bot_colour))


async def _abort(lichess: FakeLichess, request: Request) -> Response:
    return _done(lichess.games[request.path_params["game_id"]].abort())


async def _resign(lichess: FakeLichess, request: Request) -> Response:
    game = lichess.games[request.path_params["game_id"]]
    return _done(game.resign(game.bot_colour))


async def _claim_victory(lichess: FakeLichess, request: Request) -> Response:
    return _done(lichess.games[request.path_params["game_id"]].claim_victory())


# Answers


def _found(is_found: bool) -> Response:
    return JSONResponse(OK) if is_found else JSONResponse({"error": "Not found"}, 404)


def _done(is_done: bool) -> Response:
    return JSONResponse(OK) if is_done else JSONResponse({"error": "Not your turn, or game over"}, 400)


async def _form(request: Request) -> dict[str, str]:
    """By hand: Starlette's own reader of forms wants another package."""
    return dict(parse_qsl((await request.body()).decode()))


def _stream(
    lichess: FakeLichess, listeners: Listeners, endpoint: str, first: list[Json], is_over: bool = False
) -> Response:
    queue = listeners.join()

    async def lines() -> AsyncIterator[str]:
        try:
            for values in first:
                yield json.dumps(values) + "\n"
            while not is_over:
                if lichess.faults.strikes(Fault.SILENCE, endpoint):
                    await asyncio.Event().wait()
                try:
                    line = await asyncio.wait_for(queue.get(), lichess.keep_alive_s)
                except TimeoutError:
                    yield "\n"
                    continue
                if line is End.PROPER:
                    return
                if line is End.CUT:
                    raise ConnectionLost
                yield f"{line}\n"
        finally:
            listeners.leave(queue)

    return StreamingResponse(lines(), media_type=NDJSON)
