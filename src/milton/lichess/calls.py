"""What the Bot API offers, one method a request. Knows addresses and forms; decides nothing."""

import json
from collections.abc import AsyncGenerator
from typing import Literal

from .client import LichessClient
from .events import (
    Account,
    AccountEvent,
    Challenge,
    GameEvent,
    read_account_event,
    read_game_event,
    read_object,
)
from .failures import MalformedLineError, RefusedError, TokenError

DeclineReason = Literal[
    "generic",
    "later",
    "tooFast",
    "tooSlow",
    "timeControl",
    "rated",
    "casual",
    "standard",
    "variant",
    "noBot",
    "onlyBot",
]
Room = Literal["player", "spectator"]

MAX_CHAT_TEXT = 140
CHAT_PATIENCE_S = 5.0  # a later answer would confuse
NUM_ONLINE_BOTS = 100
MAX_BAD_STARTS = 8  # connections to a game, over a minute or two, that send no valid state


class AccountCalls:
    """Requests of the account as a whole. Each endpoint has its own throttle."""

    def __init__(self, client: LichessClient) -> None:
        self._client = client
        names = (
            "token",
            "account",
            "upgrade",
            "events",
            "accept",
            "decline",
            "challenge",
            "cancel",
            "online",
        )
        self._throttles = {name: client.new_throttle() for name in names}

    def events(self) -> AsyncGenerator[AccountEvent]:
        return self._client.follow(self._throttles["events"], "/api/stream/event", read_account_event)

    async def scopes(self, token: str) -> list[str]:
        """What the token allows. The answer has the token in it and is never repeated."""
        answer = await self._client.request(self._throttles["token"], "POST", "/api/token/test", body=token)
        try:
            values = json.loads(answer)
            found = values.get(token) if isinstance(values, dict) else None
            return str(found["scopes"]).split(",") if found else []
        except (ValueError, TypeError, KeyError, RecursionError):
            raise TokenError("Lichess's answer about the token could not be understood") from None

    async def account(self) -> Account:
        return read_object(
            await self._client.request(self._throttles["account"], "GET", "/api/account"), Account
        )

    async def upgrade(self) -> None:
        await self._client.request(self._throttles["upgrade"], "POST", "/api/bot/account/upgrade")

    async def accept(self, challenge_id: str) -> None:
        """A challenge would expire during a long rate limit; RateLimitedError is then raised at once."""
        await self._client.request(
            self._throttles["accept"],
            "POST",
            f"/api/challenge/{challenge_id}/accept",
            patience_s=self._client.timing.challenge_life_s,
        )

    async def decline(self, challenge_id: str, reason: DeclineReason) -> None:
        path = f"/api/challenge/{challenge_id}/decline"
        await self._client.request(self._throttles["decline"], "POST", path, form={"reason": reason})

    async def challenge(self, username: str, *, rated: bool, initial_s: int, increment_s: int) -> Challenge:
        """Never waits for a limit: limits on challenges are counted in hours."""
        answer = await self._client.request(
            self._throttles["challenge"],
            "POST",
            f"/api/challenge/{username}",
            form={
                "rated": str(rated).lower(),
                "clock.limit": str(initial_s),
                "clock.increment": str(increment_s),
                "color": "random",
                "variant": "standard",
            },
            patience_s=0.0,
            num_attempts=1,
        )
        return read_object(answer, Challenge)

    async def cancel(self, challenge_id: str) -> None:
        await self._client.request(self._throttles["cancel"], "POST", f"/api/challenge/{challenge_id}/cancel")

    async def online_bots(self) -> list[Account]:
        """Those that make sense; one odd profile must not hide the others."""
        query = {"nb": str(NUM_ONLINE_BOTS)}
        lines = await self._client.all_lines(self._throttles["online"], "/api/bot/online", query)
        found = []
        for line in lines:
            try:
                found.append(read_object(line, Account))
            except MalformedLineError:
                continue
        return found


class GameCalls:
    """Requests of one game. Their throttles live and end with it."""

    def __init__(self, client: LichessClient, game_id: str) -> None:
        self._client = client
        self._path = f"/api/bot/game/{game_id}"
        self._stream_path = f"/api/bot/game/stream/{game_id}"
        names = ("stream", "move", "chat", "draw", "takeback", "abort", "resign", "claim-victory")
        self._throttles = {name: client.new_throttle() for name in names}

    def events(self) -> AsyncGenerator[GameEvent]:
        return self._client.follow(
            self._throttles["stream"], self._stream_path, read_game_event, max_bad_starts=MAX_BAD_STARTS
        )

    async def move(self, move: str, *, offer_draw: bool) -> None:
        """Posted once: UnreachableError leaves open whether it was played, the stream will tell."""
        self._client.figures.num_moves_posted += 1
        query = {"offeringDraw": "true"} if offer_draw else None
        await self._client.request(
            self._throttles["move"], "POST", f"{self._path}/move/{move}", query=query, num_attempts=1
        )

    async def chat(self, room: Room, text: str) -> None:
        form = {"room": room, "text": text[:MAX_CHAT_TEXT]}
        await self._client.request(
            self._throttles["chat"], "POST", f"{self._path}/chat", form=form, patience_s=CHAT_PATIENCE_S
        )

    async def answer_draw(self, accept: bool) -> None:
        await self._post("draw", f"/{'yes' if accept else 'no'}")

    async def decline_takeback(self) -> None:
        await self._post("takeback", "/no")

    async def abort(self) -> None:
        await self._post("abort")

    async def resign(self) -> None:
        await self._post("resign")

    async def abort_or_resign(self) -> None:
        """For games whose state is unknown."""
        try:
            await self.abort()
        except RefusedError:
            await self.resign()

    async def claim_victory(self) -> None:
        await self._post("claim-victory")

    async def _post(self, name: str, rest: str = "") -> None:
        await self._client.request(self._throttles[name], "POST", f"{self._path}/{name}{rest}")
