"""The bot: listens to its account, answers challenges, starts games, looks for opponents, stops gracefully.

A game counts as active from before its challenge is accepted until it is over.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any, Literal

from milton.config import LichessSettings, log_failure
from milton.errors import LichessError, MiltonError
from milton.play.engine import check_memory
from milton.records.bot_files import FinishedGame

from .active_games import ActiveGames
from .calls import AccountCalls, DeclineReason, GameCalls
from .challenges import Situation, reason_to_decline
from .champions import Champions
from .client import LichessClient
from .events import (
    Account,
    AccountEvent,
    Challenge,
    ChallengeCanceled,
    ChallengeDeclined,
    ChallengeEvent,
    GameStart,
    TimeControl,
)
from .failures import RateLimitedError, RefusedError, TokenError, UnreachableError
from .matchmaking import Matchmaker
from .pace import Pace
from .records import GameArchive
from .session import GameContext, GameSession
from .timing import Backoff

OnStop = Literal["finish", "resign", "leave"]

SMALLEST_MEMORY_MB = 8  # of one game
MOST_DECLINES_WAITING = 500  # those beyond expire by themselves
NUM_REMEMBERED = 500
FORBIDDEN = 403  # the account may not play as a bot


class Bot:
    """`run` until `stop`; both in one event loop."""

    def __init__(
        self,
        client: LichessClient,
        account: Account,
        settings: LichessSettings,
        champions: Champions,
        archive: GameArchive,
        say: Callable[[str], None],
        on_finished: Callable[[FinishedGame], None] = lambda _: None,
        max_games: int | None = None,
    ) -> None:
        """`max_games`: begins no more than so many; whoever made the bot stops it after the last."""
        cores, num_games = settings.num_threads, settings.num_games_at_once
        threads = max(1, cores // num_games)
        memory_mb = max(SMALLEST_MEMORY_MB, settings.memory_mb // num_games)
        check_memory(memory_mb)  # now, not in the middle of a game
        self.account = account
        self.figures = client.figures
        self.sessions: dict[str, GameSession] = {}
        self.champions = champions
        self.active_games = ActiveGames(num_games)
        self._max_games = max_games
        self._settings = settings
        self._client = client
        self._calls = AccountCalls(client)
        self._timing = client.timing
        self._archive = archive
        self._pace = Pace(client.timing.pace_every_s)
        self._is_busy_told = False
        self._say = say
        self._on_finished = on_finished
        self._context = GameContext(
            client=client,
            account_id=account.id,
            settings=settings,
            champions=champions,
            threads=threads,
            memory_mb=memory_mb,
            pace=self._pace,
            # Pondering must not take the cores from games whose clocks run.
            may_ponder=lambda: len(self.active_games) * threads <= cores,
            say=say,
        )
        self._matchmaker = Matchmaker(settings)
        self._stopping = asyncio.Event()
        self._on_stop: OnStop = settings.on_stop
        self._game_tasks: set[asyncio.Task[None]] = set()
        self._declines: asyncio.Queue[tuple[str, DeclineReason]] = asyncio.Queue(MOST_DECLINES_WAITING)
        self._answered: deque[str] = deque(maxlen=NUM_REMEMBERED)  # challenges; connections repeat them
        self._played: deque[str] = deque(maxlen=NUM_REMEMBERED)  # games that are over
        self._open_challenges: dict[str, asyncio.Future[str | None]] = {}  # ours; reason of the decline

    @property
    def _has_room(self) -> bool:
        num_begun = self.figures.num_games + len(self.active_games)
        is_enough = self._max_games is not None and num_begun >= self._max_games
        return not self.active_games.is_full and not is_enough

    # Running and stopping

    async def run(self) -> None:
        """Plays until `stop`. LichessError if the account cannot be used any more."""
        await self._pace.begin()
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                works = [self._listen(), self._decline(), self._pace.measure()]
                if self._settings.matchmaking:
                    works.append(self._make_matches())
                helpers = [group.create_task(work) for work in works]
                await self._stopping.wait()
                await self._end_games()
                for helper in helpers:
                    helper.cancel()
        except* LichessError as errors:
            raise _first_of(errors) from None  # several games may notice at once that the token is gone

    def stop(self, how: OnStop | None = None) -> None:
        """Accepts nothing new from now on; games end as the settings, or `how`, say."""
        self._on_stop = how or self._on_stop
        self._stopping.set()
        if self._on_stop == "resign":
            for session in self.sessions.values():
                session.give_up()
        elif self._on_stop == "leave":
            for task in self._game_tasks:
                task.cancel()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    async def _end_games(self) -> None:
        if len(self.active_games):
            self._say(f"stopping ({self._on_stop}); games under way: {len(self.active_games)}")
        await self.active_games.wait_until_empty()

    # Events of the account

    async def _listen(self) -> None:
        backoff = Backoff(self._timing)
        while True:
            try:
                await self._read_events()
            except RefusedError as error:
                if error.status == FORBIDDEN:
                    raise
                # Not Lichess's own answer: a gateway's, which passes.
                self._say(str(error))
            await asyncio.sleep(backoff.next_s())

    async def _read_events(self) -> None:
        async with aclosing(self._calls.events()) as events:
            async for event in events:
                try:
                    self._on_event(event)
                except Exception as error:  # noqa: BLE001 -- one event must not end the bot
                    self._report_failure("an event of the account", error)

    def _on_event(self, event: AccountEvent) -> None:
        if isinstance(event, GameStart):
            self._on_game(event.game.id)
        elif isinstance(event, ChallengeDeclined | ChallengeCanceled):
            waiting = self._open_challenges.get(event.challenge.id)
            if waiting is not None and not waiting.done():
                silence = "later" if isinstance(event, ChallengeCanceled) else "generic"
                waiting.set_result(event.challenge.decline_reason_key or silence)
        elif isinstance(event, ChallengeEvent):
            self._on_challenge(event.challenge)

    def _on_game(self, game_id: str) -> None:
        waiting = self._open_challenges.get(game_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        elif self.is_stopping and self._on_stop == "leave":
            return
        elif game_id not in self.active_games and game_id not in self._played:
            # Started before this program, or by a request whose answer was lost.
            self.active_games.add(game_id)
            self._start(game_id, self._play(game_id))

    def _on_challenge(self, challenge: Challenge) -> None:
        opponent = challenge.challenger
        is_ours = opponent is not None and opponent.id == self.account.id
        if is_ours or challenge.id in self._answered or challenge.id in self.active_games:
            return
        self._answered.append(challenge.id)
        self.figures.num_challenges += 1
        situation = Situation(
            has_room=self._has_room,
            is_stopping=self.is_stopping,
            games_with_opponent=self._archive.games_with(opponent.name) if opponent else 0,
            games_with_bots=self._archive.games_with_bots(),
            can_keep=self._pace.can_keep,
        )
        reason = reason_to_decline(challenge, self._settings, situation)
        if reason is None:
            self.active_games.add(challenge.id)
            self._start(challenge.id, self._accept_and_play(challenge))
        elif not self._declines.full():
            self._declines.put_nowait((challenge.id, reason))
        self._tell_pace(reason, challenge.time_control)

    def _tell_pace(self, reason: DeclineReason | None, control: TimeControl) -> None:
        """Says once that games are declined because the machine is busy, and again after one was accepted."""
        is_short_of_time = reason == "tooFast" and not self._pace.can_keep(
            control.limit or 0, control.increment or 0
        )
        if is_short_of_time and not self._is_busy_told:
            lag_s = self._pace.move_lag_s
            self._say(
                f"fast games are declined: the machine is busy, a move loses {lag_s:.1f} s of its clock"
            )
        self._is_busy_told = is_short_of_time or (self._is_busy_told and reason is not None)

    async def _decline(self) -> None:
        """One after the other, so that a flood of challenges holds up nothing else."""
        while True:
            challenge_id, reason = await self._declines.get()
            try:
                await self._calls.decline(challenge_id, reason)
                self.figures.num_declined += 1
            except (RefusedError, UnreachableError, RateLimitedError):
                continue  # taken back or expired meanwhile, or it will expire

    # Games

    def _start(self, game_id: str, work: Coroutine[Any, Any, None]) -> None:
        """The game was added to the active ones; it is removed when the work is over, however it ends."""
        task = self._group.create_task(self._contain(game_id, work))
        self._game_tasks.add(task)

        def done(task: asyncio.Task[None]) -> None:
            self._game_tasks.discard(task)
            self.active_games.remove(game_id)

        task.add_done_callback(done)

    async def _contain(self, game_id: str, work: Coroutine[Any, Any, None]) -> None:
        """An error in a game affects that game alone: it is aborted or resigned, the others continue. Only
        a token that is gone ends the bot."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 -- reported, with its traceback in a file
            token_error = _token_error_in(error)
            if token_error is not None:
                raise token_error from None
            self._report_failure(f"game {game_id}", error)
            await self._give_up(game_id)

    async def _give_up(self, game_id: str) -> None:
        try:
            await GameCalls(self._client, game_id).abort_or_resign()
        except TokenError:
            raise
        except LichessError as error:
            self._say(f"{game_id}: {error}")

    def _report_failure(self, where: str, error: Exception) -> None:
        self.figures.num_failures += 1
        first, log = _first_of(error), log_failure(error)
        what = f"{type(first).__name__}: {str(first)[:200]}"
        self._say(f"{where} failed: {what}; the rest continues (traceback in {log})")

    async def _accept_and_play(self, challenge: Challenge) -> None:
        is_sure = True
        try:
            await self._calls.accept(challenge.id)
        except RateLimitedError as error:
            self._say(f"challenge {challenge.id} was not accepted: {error}")
            return
        except (RefusedError, UnreachableError):
            # Taken back, or accepted by a request whose answer was lost. The game's stream knows.
            is_sure = False
        await self._play(challenge.id, is_sure=is_sure)

    async def _play(self, game_id: str, *, is_sure: bool = True) -> None:
        session = GameSession(game_id, self._context, is_sure=is_sure)
        self.sessions[game_id] = session
        if self.is_stopping and self._on_stop == "resign":
            session.give_up()
        try:
            played = await session.play()
        finally:
            del self.sessions[game_id]
        if played is None:
            return
        self._played.append(game_id)
        game, pgn = played
        self._count(game)
        self._say(f"{game.id} against {game.opponent}: {game.result}, {game.status}, {game.num_plies} plies")
        try:
            await asyncio.to_thread(self._archive.add, game, pgn)
        except MiltonError as error:
            self._say(f"{game.id} could not be saved: {error}")
        self._on_finished(game)

    def _count(self, game: FinishedGame) -> None:
        self.figures.num_games += 1
        self.figures.num_wins += game.score == 1.0
        self.figures.num_draws += game.score == 0.5
        self.figures.num_losses += game.score == 0.0

    # Matchmaking

    async def _make_matches(self) -> None:
        while not self.is_stopping:
            await asyncio.sleep(self._timing.matchmaking_poll_s)
            is_idle = len(self.active_games) == 0 and not self.is_stopping
            has_games_left = self._archive.games_with_bots() < self._settings.bot_games_per_day
            control = self._settings.matchmaking_initial_s, self._settings.matchmaking_increment_s
            can_play = is_idle and has_games_left and self._pace.can_keep(*control)
            if not (can_play and self._matchmaker.is_due):
                continue
            self._matchmaker.challenged()
            try:
                await self._challenge_somebody()
            except TokenError:
                raise
            except RateLimitedError as error:
                self._say(f"no challenges for {error.wait_s:.0f} s: {error}")
                self._matchmaker.limited(error.wait_s)
            except LichessError as error:
                self._say(f"matchmaking: {error}")
            except Exception as error:  # noqa: BLE001 -- without a match the bot still plays
                self._report_failure("matchmaking", error)

    async def _challenge_somebody(self) -> None:
        self.account = await self._calls.account()
        opponent = self._matchmaker.choose(self.account, self._willing(await self._calls.online_bots()))
        if opponent is None or not self._has_room:
            return
        reserved = f"challenge to {opponent.id}"  # until the challenge has an id
        self.active_games.add(reserved)
        try:
            challenge = await self._calls.challenge(
                opponent.username,
                rated=self._settings.matchmaking_rated,
                initial_s=self._settings.matchmaking_initial_s,
                increment_s=self._settings.matchmaking_increment_s,
            )
        except RefusedError:
            self._matchmaker.declined(opponent.id, None)
            raise
        finally:
            self.active_games.remove(reserved)
        self._say(f"challenged {opponent.username}")
        if challenge.id in self.active_games or challenge.id in self._played:
            return  # accepted so quickly that the game began before the answer came
        self.active_games.add(challenge.id)
        self._start(challenge.id, self._wait_and_play(challenge, opponent))

    def _willing(self, online: list[Account]) -> list[Account]:
        most = self._settings.games_per_opponent_per_day
        return [bot for bot in online if not 0 < most <= self._archive.games_with(bot.username)]

    async def _wait_and_play(self, challenge: Challenge, opponent: Account) -> None:
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._open_challenges[challenge.id] = answer
        is_sure = True
        try:
            reason = await asyncio.wait_for(answer, self._timing.challenge_life_s)
        except TimeoutError:
            # What cannot be taken back has expired, or was accepted at the last moment.
            is_sure = False
            reason = "later" if await self._take_back(challenge.id) else None
        finally:
            del self._open_challenges[challenge.id]
        if reason is None:
            await self._play(challenge.id, is_sure=is_sure)
        if reason is not None or not is_sure:
            self._matchmaker.declined(opponent.id, reason or "later")

    async def _take_back(self, challenge_id: str) -> bool:
        try:
            await self._calls.cancel(challenge_id)
        except (RefusedError, UnreachableError):
            return False
        return True


def _first_of(error: BaseException) -> BaseException:
    return _first_of(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _token_error_in(error: BaseException) -> TokenError | None:
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_token_error_in, error.exceptions)), None)
    return error if isinstance(error, TokenError) else None
