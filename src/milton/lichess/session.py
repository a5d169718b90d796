"""One game from its first line to its last. Translates between the stream, the engine and requests.

The stream is the truth: every connection begins with the whole game, and whenever a request leaves open what
happened (no answer, a fault of the server, a refusal), the session connects anew and looks, instead of
guessing. A move that was confirmed is posted again only if a later connection shows that it was lost.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from milton.config import LichessSettings
from milton.errors import LichessError, MiltonError
from milton.play import Choice, Engine, Limits
from milton.records import pgn_text
from milton.records.bot_files import FinishedGame

from . import chat
from .async_engine import AsyncEngine, Line
from .calls import GameCalls, Room
from .champions import Champions, network_name
from .client import LichessClient
from .draw_and_resign import DrawAndResignPolicy
from .events import ChatLine, GameEvent, GameFull, GameState, OpponentGone
from .failures import RefusedError, TokenError, UnreachableError
from .pace import Pace
from .progress import Change, Progress
from .records import finished_game, game_record
from .timing import Backoff
from .variety import VARIETY_LOOK_S, VARIETY_SIMULATIONS, VARIETY_THINK_S, drawn_move

MOVETIME_WITHOUT_CLOCK_S = 10.0
MOVETIME_AT_START_S = 5.0  # Lichess aborts games whose first moves take long, whatever the clocks say
NUM_LOOKS_FOR_GAME = 4  # a game that was just accepted may not be there yet
NUM_REFUSALS = 3  # of one move, by a server that disagrees about the rules
ABORTABLE_PLIES = 2
MOST_GOODBYE_S = 5.0


@dataclass(frozen=True, slots=True)
class GameContext:
    """What every game of the bot shares."""

    client: LichessClient
    account_id: str
    settings: LichessSettings
    champions: Champions
    threads: int  # of one game
    memory_mb: int
    pace: Pace
    may_ponder: Callable[[], bool]
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What we decided after a line of moves, kept until the server has it."""

    line: Line
    choice: Choice
    offers_draw: bool


@dataclass(slots=True)
class PositionState:
    """What was done about one position of the game. Another line of moves, or a takeback, starts over."""

    line: Line
    turn: asyncio.Task[None] | None = None  # our move being made
    is_posted: bool = False  # the server confirmed our move
    is_recheck_due: bool = False  # a check whether it is on the board is scheduled
    is_pondered: bool = False
    is_watched: bool = False  # the game is aborted if the opponent does not begin
    is_draw_answered: bool = False
    is_takeback_answered: bool = False

    @property
    def is_thinking(self) -> bool:
        return self.turn is not None and not self.turn.done()


class GameSession:
    def __init__(self, game_id: str, context: GameContext, *, is_sure: bool = True) -> None:
        """`is_sure`: Lichess said that the game exists."""
        self.id = game_id
        self.progress: Progress | None = None
        self.choices: dict[int, Choice] = {}
        self._context = context
        self._settings = context.settings
        self._calls = GameCalls(context.client, game_id)
        self._looks_left = NUM_LOOKS_FOR_GAME if is_sure else 1
        self._policy = DrawAndResignPolicy(context.settings)
        self._engine: AsyncEngine | None = None
        self._over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reader: asyncio.Task[None] | None = None
        self._claim: asyncio.Task[None] | None = None
        self._reply: asyncio.Task[None] | None = None
        self._farewell: asyncio.Task[None] | None = None
        self._answer: Answer | None = None
        self._here = PositionState(())
        self._num_refusals = 0
        self._is_given_up = False
        self._backoff = Backoff(context.client.timing)

    # The life of a game

    async def play(self) -> tuple[FinishedGame, str] | None:
        """Plays to the end: the game and its PGN, or None if there was none. Only TokenError escapes."""
        network = await self._context.champions.refresh()
        engine = Engine(
            network,
            threads=self._context.threads,
            memory_mb=self._context.memory_mb,
            move_overhead_s=max(self._settings.move_overhead_ms / 1000, self._context.pace.move_lag_s),
            niceness=self._settings.search_niceness,
        )
        self._engine = AsyncEngine(engine)
        del engine  # the wrapper lets it go when the game is over
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                self._reader = self._spawn(self._read())
                await self._over.wait()
                for task in tuple(self._tasks):
                    task.cancel()
        finally:
            await self._engine.close()
        progress = self.progress
        if progress is None:
            return None
        game = finished_game(progress, self.network_text, self._settings.base_url)
        return game, pgn_text(game_record(game, progress, self.choices, self._settings.base_url))

    def give_up(self) -> None:
        """Ends the game as soon as its stream is open; the stream then reports that it is over."""
        self._is_given_up = True
        if self.progress is not None:
            self._post(self._leave())

    async def _leave(self) -> None:
        """Aborts the game if that is still possible, else resigns it."""
        is_fresh = self.progress is None or self.progress.ply < ABORTABLE_PLIES
        await (self._calls.abort_or_resign() if is_fresh else self._calls.resign())

    @property
    def network_text(self) -> str:
        return network_name(self._engine.network) if self._engine else ""

    @property
    def is_thinking(self) -> bool:
        return self._here.is_thinking

    # The stream

    async def _read(self) -> None:
        while True:
            try:
                async with aclosing(self._calls.events()) as events:
                    async for event in events:
                        self._on_event(event)
            except TokenError:
                raise
            except RefusedError as error:
                self._looks_left -= 1
                if self.progress is not None or self._looks_left <= 0:
                    self._context.say(f"{self.id} was not found: {error}")
                    self._over.set()
                    return
            except MiltonError as error:  # a game of others, an invalid position or move
                await self._abandon(error)
                return
            await asyncio.sleep(self._backoff.next_s())

    def _on_event(self, event: GameEvent) -> None:
        now = time.monotonic()
        if isinstance(event, GameFull):
            is_first = self.progress is None
            self.progress = Progress(event, self._context.account_id, now)
            if is_first:
                self._greet(self.progress)
            if self._is_given_up:
                self.give_up()
            self._on_state(self.progress)
        elif self.progress is None:
            return  # a stream must begin with the whole game
        elif isinstance(event, GameState):
            change = self.progress.update(event, now)
            if change is Change.CONTRADICTION:
                self._reconnect()
            elif change is not Change.OLD:
                self._on_state(self.progress)
        elif isinstance(event, OpponentGone):
            self._on_gone(event)
        elif isinstance(event, ChatLine):
            self._on_chat(event)

    def _on_state(self, progress: Progress) -> None:
        if progress.is_over:
            self._end(progress)
            return
        if self._here.line != progress.line:
            if self._here.turn is not None:
                self._here.turn.cancel()  # its move is on the board, or was taken back: nothing to wait for
            self._here = PositionState(progress.line)
        self._answer_offers(progress)
        self._watch_start(progress)
        if not progress.is_my_turn:
            self._ponder(progress)
        elif self._here.is_posted:
            self._recheck_confirmation(self._here)
        elif not self.is_thinking:
            self._here.turn = self._spawn(self._take_turn(progress, self._here))

    def _end(self, progress: Progress) -> None:
        if self._settings.chat_goodbye and progress.ply >= ABORTABLE_PLIES:
            self._farewell = self._farewell or self._spawn(self._say_goodbye(progress))
        else:
            self._over.set()

    async def _say_goodbye(self, progress: Progress) -> None:
        """Returns when the goodbye was sent, or could not be sent in time."""
        text = chat.addressed(self._settings.chat_goodbye, progress.opponent.text, self._context.account_id)
        try:
            await asyncio.wait_for(self._quietly(self._calls.chat("player", text)), MOST_GOODBYE_S)
        except TimeoutError:
            self._context.say(f"{self.id}: no time to say goodbye")
        finally:
            self._over.set()

    def _reconnect(self) -> None:
        """Reconnects, because only the whole game shows its state."""
        if self._reader is not None:
            self._reader.cancel()
        self._context.client.figures.num_reconnects += 1
        self._reader = self._spawn(self._read())

    async def _abandon(self, error: MiltonError) -> None:
        """For games that cannot continue. Does not wait for the stream, which may be the problem."""
        self._context.say(f"{self.id} is given up: {error}")
        await self._quietly(self._leave())
        self._over.set()

    # Our turn

    async def _take_turn(self, progress: Progress, here: PositionState) -> None:
        try:
            answer = self._answer
            if answer is None or answer.line != progress.line:
                answer = await self._decide(progress)
            if answer is None:
                return  # no legal move: the server will say how the game ended
            if self._policy.should_resign():
                await self._calls.resign()
            else:
                move = progress.position.parse(str(answer.choice.move))  # refuses what is not legal
                await self._calls.move(move, offer_draw=answer.offers_draw)
            here.is_posted = True
            self._num_refusals = 0
            self._backoff.succeeded()
        except TokenError:
            raise
        except UnreachableError as error:
            await self._recheck(error)
        except RefusedError as error:
            self._num_refusals += 1
            await (self._recheck(error) if self._num_refusals < NUM_REFUSALS else self._abandon(error))
        except MiltonError as error:
            await self._abandon(error)

    async def _recheck(self, error: LichessError) -> None:
        """Whether the move was played is unknown: connects again, looks, and takes the turn again."""
        self._context.say(f"{self.id}: reconnecting to see whether the move was played: {error}")
        await asyncio.sleep(self._backoff.next_s())
        self._reconnect()

    def _recheck_confirmation(self, here: PositionState) -> None:
        """A confirmed move that is not on the board: usually it is on its way, but servers do lose moves."""
        if not here.is_recheck_due:
            here.is_recheck_due = True
            self._spawn(self._post_again_if_lost(here))

    async def _post_again_if_lost(self, here: PositionState) -> None:
        await asyncio.sleep(self._context.client.timing.lost_move_s)
        if self._here is here:
            here.is_posted = here.is_recheck_due = False
            self._reconnect()

    async def _decide(self, progress: Progress) -> Answer | None:
        assert self._engine is not None
        if self._settings.hot_swap == "between_moves":
            network = await self._context.champions.refresh()
            if network is not self._engine.network:
                await self._engine.swap(network)
                self._context.champions.announce(
                    f"{self.id} continues with {network_name(network)} at ply {progress.ply}"
                )
        limits = self._limits(progress)
        if progress.ply < self._settings.variety_plies:
            limits = await self._vary(progress, limits)
        choice = await self._engine.think(progress.position, progress.line, limits)
        if choice.move is None:
            return None
        self.choices[progress.ply] = choice
        self._policy.add(choice.value)
        self._answer = Answer(progress.line, choice, self._policy.should_offer_draw(progress.ply))
        return self._answer

    def _limits(self, progress: Progress) -> Limits:
        clock = progress.clock(time.monotonic())
        movetime_s = MOVETIME_WITHOUT_CLOCK_S if clock is None else None
        if progress.ply < ABORTABLE_PLIES:
            movetime_s = MOVETIME_AT_START_S
        return Limits(nodes=self._settings.max_nodes or None, clock=clock, movetime_s=movetime_s)

    async def _vary(self, progress: Progress, limits: Limits) -> Limits:
        """Draws one of the opening moves that search likes; the real search then judges that move alone."""
        assert self._engine is not None
        look = Limits(simulations=VARIETY_SIMULATIONS, movetime_s=VARIETY_LOOK_S, fresh=True)
        seen = await self._engine.think(progress.position, progress.line, look)
        move = drawn_move(seen.analysis.candidates, f"{self.id} {progress.ply}")
        if move is None:
            return limits
        return replace(limits, searchmoves=(move,), movetime_s=VARIETY_THINK_S)

    # The opponent's turn

    def _ponder(self, progress: Progress) -> None:
        answer = self._answer
        if answer is None or answer.line != progress.line[:-1] or self._here.is_pondered:
            return
        if progress.ply < self._settings.variety_plies:
            return  # the answer will be drawn
        expected = answer.choice.ponder_move
        if not self._settings.ponder or expected is None or not self._context.may_ponder():
            return
        self._here.is_pondered = True
        assert self._engine is not None
        position = progress.position.play(expected)
        line = (*progress.line, expected)
        self._spawn(self._engine.ponder(position, line, self._limits(progress)))

    def _watch_start(self, progress: Progress) -> None:
        """An opponent who does not begin must not keep another game waiting."""
        is_waiting = progress.ply < ABORTABLE_PLIES and not progress.is_my_turn
        if is_waiting and not self._here.is_watched:
            self._here.is_watched = True
            self._spawn(self._abort_unless_started(self._here))

    async def _abort_unless_started(self, here: PositionState) -> None:
        await asyncio.sleep(self._settings.abort_after_s)
        if self.progress is not None and self._here is here:
            self._context.say(f"{self.id} is aborted: {self.progress.opponent.text} made no first move")
            await self._quietly(self._calls.abort())

    def _on_gone(self, event: OpponentGone) -> None:
        if self._claim is not None:
            self._claim.cancel()
            self._claim = None
        if event.gone and event.claim_win_in_seconds is not None:
            self._claim = self._spawn(self._claim_victory(max(0.0, event.claim_win_in_seconds)))

    async def _claim_victory(self, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        await self._quietly(self._calls.claim_victory())

    def _answer_offers(self, progress: Progress) -> None:
        """Once a position: the offer stays in the states until the answer has arrived."""
        state, opponent, here = progress.state, progress.opponent_colour, self._here
        if state.offers_draw(opponent) and not here.is_draw_answered:
            here.is_draw_answered = True
            self._post(self._calls.answer_draw(self._policy.is_level(progress.ply)))
        if state.asks_takeback(opponent) and not here.is_takeback_answered:
            here.is_takeback_answered = True
            self._post(self._calls.decline_takeback())

    # Chat

    def _greet(self, progress: Progress) -> None:
        if self._settings.chat_greeting and progress.ply < ABORTABLE_PLIES:
            text = chat.addressed(
                self._settings.chat_greeting, progress.opponent.text, self._context.account_id
            )
            self._post(self._calls.chat("player", text))

    def _on_chat(self, line: ChatLine) -> None:
        is_ours = line.username.lower() == self._context.account_id
        is_busy = self._reply is not None and not self._reply.done()  # a flood gets one answer
        if not self._settings.chat_commands or is_ours or is_busy:
            return
        reply = chat.answer(line.text, self._answer.choice if self._answer else None, self.network_text)
        if reply is not None:
            room: Room = "spectator" if line.room == "spectator" else "player"
            self._reply = self._post(self._calls.chat(room, reply))

    # Tasks

    def _post(self, request: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return self._spawn(self._quietly(request))

    async def _quietly(self, request: Coroutine[Any, Any, None]) -> None:
        """For requests that the game can do without."""
        try:
            await request
        except TokenError:
            raise
        except LichessError as error:
            self._context.say(f"{self.id}: {error}")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
