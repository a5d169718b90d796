"""The fake Lichess itself: account, challenges, games, who listens, what happened. Knows no HTTP.

Everything runs in one event loop. `until` waits for a condition without polling.
"""

import asyncio
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from .faults import Faults
from .game import FakeGame
from .listeners import Json, Listeners
from .opponents import Opponent

BOT_GAMES_PER_DAY = 100


@dataclass(slots=True)
class FakeChallenge:
    id: str
    opponent: Opponent
    by_bot: bool
    values: Json
    game_settings: dict[str, object]


class FakeLichess:
    def __init__(
        self,
        *,
        token: str = "lip_test",
        username: str = "MiltonBot",
        is_bot: bool = True,
        faults: Faults | None = None,
        keep_alive_s: float = 7.0,
        challenge_life_s: float = 20.0,
        seed: int = 0,
    ) -> None:
        self.token = token
        self.username = username
        self.is_bot = is_bot
        self.scopes = "bot:play"
        self.faults = faults or Faults()
        self.keep_alive_s = keep_alive_s
        self.challenge_life_s = challenge_life_s
        self.online: list[Opponent] = []
        self.challenges: dict[str, FakeChallenge] = {}
        self.declined: dict[str, str] = {}  # challenge id → the bot's reason
        self.games: dict[str, FakeGame] = {}
        self.peak_games = 0
        self.num_bot_games = 0
        self.requests: Counter[str] = Counter()  # endpoint → number
        self.answers: Counter[int] = Counter()  # status → number
        self.illegal_moves: list[str] = []
        self.duplicate_moves: list[str] = []
        self.event_listeners = Listeners("events", self.faults)
        self.game_listeners: dict[str, Listeners] = {}
        self._random = random.Random(seed)
        self._coin = random.Random(seed + 1)
        self._ids: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()

    # Questions

    @property
    def account_id(self) -> str:
        return self.username.lower()

    def running_games(self) -> list[FakeGame]:
        return [game for game in self.games.values() if not game.is_over]

    def finished_games(self) -> list[FakeGame]:
        return [game for game in self.games.values() if game.is_over]

    async def until(self, condition: Callable[[], bool], timeout_s: float = 600.0) -> None:
        async with asyncio.timeout(timeout_s):
            while not condition():
                future = asyncio.get_running_loop().create_future()
                self._waiting.append(future)
                await future

    def changed(self) -> None:
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)

    # What other people do

    def challenge(
        self,
        opponent: Opponent,
        *,
        initial_s: float = 600,
        increment_s: float = 0,
        rated: bool = True,
        variant: str = "standard",
        initial_fen: str | None = None,
        bot_is_white: bool | None = None,
        time_control: Json | None = None,
    ) -> str:
        """Challenges the bot. `time_control` replaces what is said about the clock."""
        values: Json = {
            "variant": {"key": variant, "name": variant},
            "rated": rated,
            "timeControl": time_control or _clock(initial_s, increment_s),
        }
        if initial_fen:
            values["initialFen"] = initial_fen
        challenge = self._new_challenge(
            opponent,
            values,
            by_bot=False,
            game_settings={
                "initial_s": initial_s,
                "increment_s": increment_s,
                "rated": rated,
                "variant": variant,
                "initial_fen": initial_fen,
                "bot_is_white": self._coin.random() < 0.5 if bot_is_white is None else bot_is_white,
            },
        )
        self.event_listeners.send({"type": "challenge", "challenge": challenge.values})
        self.changed()
        return challenge.id

    def cancel_challenge(self, challenge_id: str) -> None:
        challenge = self.challenges.pop(challenge_id, None)
        if challenge is not None:
            self.event_listeners.send({"type": "challengeCanceled", "challenge": challenge.values})
            self.changed()

    # What the bot does

    def accept(self, challenge_id: str) -> bool:
        challenge = self.challenges.pop(challenge_id, None)
        if challenge is None or challenge.by_bot:
            return False
        self._start(challenge)
        return True

    def decline(self, challenge_id: str, reason: str) -> bool:
        if self.challenges.pop(challenge_id, None) is None:
            return False
        self.declined[challenge_id] = reason
        self.changed()
        return True

    def challenge_by_bot(self, name: str, *, rated: bool, initial_s: int, increment_s: int) -> Json | None:
        opponent = next((bot for bot in self.online if bot.id == name.lower()), None)
        if opponent is None:
            return None
        settings: dict[str, object] = {
            "initial_s": initial_s,
            "increment_s": increment_s,
            "rated": rated,
            "bot_is_white": True,
        }
        values: Json = {
            "variant": {"key": "standard"},
            "rated": rated,
            "timeControl": _clock(initial_s, increment_s),
        }
        challenge = self._new_challenge(opponent, values, by_bot=True, game_settings=settings)
        self.event_listeners.send({"type": "challenge", "challenge": challenge.values})
        self._spawn(self._answer_bot(challenge))
        return challenge.values

    def move(self, game: FakeGame, text: str, offer_draw: bool) -> bool:
        """The bot's move. Remembers what should never have been posted."""
        if game.is_over:
            return False
        if not game.is_bots_turn:
            self.duplicate_moves.append(f"{game.id} {text} at ply {game.ply}")
            return False
        is_played = game.move(game.bot_colour, text, offer_draw)
        if not is_played:
            self.illegal_moves.append(f"{game.id} {text} in {game.board.fen()}")
        return is_played

    # How it works

    def greetings(self) -> list[Json]:
        """What an event stream begins with."""
        lines: list[Json] = [
            {"type": "challenge", "challenge": challenge.values} for challenge in self.challenges.values()
        ]
        return lines + [self._game_event("gameStart", game) for game in self.running_games()]

    def close(self) -> None:
        """Ends everything that runs."""
        self.event_listeners.close()
        for listeners in self.game_listeners.values():
            listeners.close()
        for task in self._tasks:
            task.cancel()
        for game in self.running_games():
            game.finish("unknownFinish", None)

    def _new_challenge(
        self, opponent: Opponent, values: Json, *, by_bot: bool, game_settings: dict[str, object]
    ) -> FakeChallenge:
        me: Json = {"id": self.account_id, "name": self.username, "title": "BOT", "rating": 1500}
        people = (me, opponent.user()) if by_bot else (opponent.user(), me)
        challenge_id = self._new_id()
        values = {
            "id": challenge_id,
            "status": "created",
            "challenger": people[0],
            "destUser": people[1],
            "speed": "bullet",
            "color": "random",
            "perf": {"icon": "", "name": "Bullet"},
            **values,
        }
        challenge = FakeChallenge(challenge_id, opponent, by_bot, values, game_settings)
        self.challenges[challenge_id] = challenge
        loop = asyncio.get_running_loop()
        loop.call_later(self.challenge_life_s, self.cancel_challenge, challenge_id)
        return challenge

    async def _answer_bot(self, challenge: FakeChallenge) -> None:
        await asyncio.sleep(challenge.opponent.behaviour.think_s)
        reaction = challenge.opponent.behaviour.on_challenge
        if reaction == "ignore" or self.challenges.pop(challenge.id, None) is None:
            return
        if reaction == "accept":
            self.num_bot_games += 1
            self._start(challenge)
            return
        reason = {"declineReason": "Please later", "declineReasonKey": "later"}
        self.event_listeners.send({"type": "challengeDeclined", "challenge": {**challenge.values, **reason}})

    def _start(self, challenge: FakeChallenge) -> None:
        game = FakeGame(
            challenge.id,
            self.username,
            challenge.opponent,
            on_change=self._on_game_change,
            **challenge.game_settings,  # type: ignore[arg-type]
        )
        self.games[game.id] = game
        self.game_listeners[game.id] = Listeners("game", self.faults)
        self.peak_games = max(self.peak_games, len(self.running_games()))
        self.event_listeners.send(self._game_event("gameStart", game))
        self._spawn(self._play_opponent(game))
        self.changed()

    def _on_game_change(self, game: FakeGame) -> None:
        listeners = self.game_listeners[game.id]
        listeners.send(game.state())
        if game.is_over:
            listeners.close()
            self.event_listeners.send(self._game_event("gameFinish", game))
        self.changed()

    async def _play_opponent(self, game: FakeGame) -> None:
        behaviour, colour = game.opponent.behaviour, not game.bot_colour
        if not behaviour.starts:
            return
        said = False
        while not game.is_over:
            await self.until(lambda: game.is_over or not game.is_bots_turn, timeout_s=3600)
            await asyncio.sleep(behaviour.think_s)
            if not said:
                said = True
                if behaviour.aborts and game.abort():
                    return
                for text in behaviour.says:
                    self.say(game, game.opponent.name, text)
            if await self._misbehave(game, colour):
                return
            move = await game.opponent.choose(game.board)
            game.move(colour, move.uci(), offer_draw=behaviour.offers_draw_at in (game.ply, game.ply - 1))

    async def _misbehave(self, game: FakeGame, colour: bool) -> bool:
        """True if the opponent does not move any more."""
        behaviour, ply = game.opponent.behaviour, game.ply
        if game.is_over:
            return True
        if behaviour.resigns_at is not None and ply >= behaviour.resigns_at:
            game.resign(colour)
            return True
        if behaviour.asks_takeback_at in (ply, ply - 1):
            game.ask_takeback(colour)
        if behaviour.leaves_at is not None and ply in (behaviour.leaves_at, behaviour.leaves_at + 1):
            return await self._leave(game)
        return False

    async def _leave(self, game: FakeGame, claim_in_s: float = 1.0) -> bool:
        game.claimable_at = time.monotonic() + claim_in_s
        gone: Json = {"type": "opponentGone", "gone": True, "claimWinInSeconds": claim_in_s}
        self.game_listeners[game.id].send(gone)
        if not game.opponent.behaviour.returns:
            # Repeated, as on Lichess: a line may be lost.
            while not game.is_over:
                await asyncio.sleep(claim_in_s)
                self.game_listeners[game.id].send({**gone, "claimWinInSeconds": 0})
            return True
        await asyncio.sleep(claim_in_s / 2)
        game.claimable_at = None
        self.game_listeners[game.id].send({"type": "opponentGone", "gone": False})
        return False

    def say(self, game: FakeGame, name: str, text: str, room: str = "player") -> None:
        game.chat.append((room, name, text))
        line: Json = {"type": "chatLine", "room": room, "username": name, "text": text}
        self.game_listeners[game.id].send(line)
        self.changed()

    def _game_event(self, kind: str, game: FakeGame) -> Json:
        return {"type": kind, "game": {"gameId": game.id, "id": game.id, "fullId": f"{game.id}abcd"}}

    def _new_id(self) -> str:
        letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        while True:
            made = "".join(self._random.choices(letters, k=8))
            if made not in self._ids:
                self._ids.add(made)
                return made

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _clock(initial_s: float, increment_s: float) -> Json:
    return {"type": "clock", "limit": initial_s, "increment": increment_s, "show": "clock"}
