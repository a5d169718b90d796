"""Searches for pages: a few at a time, each on an engine of its own, ended when its page leaves.

Trees stay with their engines: a later question about the same game continues its tree.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool

from milton.errors import IllegalMoveError, MiltonError, RequestError
from milton.games import Position
from milton.lab.opponents import QuickOpponent
from milton.play import Analysis, Clock, Engine, Limits, Network, RunningSearch, find_level
from milton.play import Candidate as FoundCandidate
from milton.webapi.networks import NetworkCatalog
from milton.webapi.play_messages import (
    MAX_SEARCH_MS,
    SearchCandidate,
    SearchLimits,
    SearchMessage,
    SearchProgress,
    SearchRequest,
    SearchResult,
    TreeNode,
    TreeRequest,
)
from milton.webapi.positions import replay
from milton.webapi.problems import stream_problem
from milton.webapi.trees import follow_path, tree_node

MEMORY_MB = 128  # of each engine
IDLE_S = 120.0  # after which an engine's memory is given back; a person may think as long about a move
MESSAGE_INTERVAL_S = 0.1
NUM_LINES = 8  # candidates that come with their variations
NUM_ALPHABETA_LINES = 3  # of an analysis; each costs about as much as a search of its own
_MS_PER_S = 1000
_LONGEST_S = MAX_SEARCH_MS / _MS_PER_S


class SearchManager:
    """Hands out engines, `max_searches` at most at a time; idle ones keep their trees for a while."""

    def __init__(self, catalog: NetworkCatalog, *, max_searches: int, threads: int) -> None:
        self.max_searches = max_searches
        self.num_searches = 0  # ever
        self.num_active = 0
        self._catalog = catalog
        self._threads = threads
        self._idle: list[tuple[float, Engine]] = []  # since when, by time.monotonic(); oldest first
        self._running: set[RunningSearch] = set()
        self._busy: list[Engine] = []  # those that search now; most of them have a tree
        self._lock = threading.Lock()

    @asynccontextmanager
    async def open(self, request: SearchRequest) -> AsyncIterator["PageSearch"]:
        """A search under way; it ends when the context is left, if its limits have not ended it before."""
        self._take_place()
        try:
            search = await run_in_threadpool(self._prepare, request)
            running = search.start()
        except BaseException:
            self._release(None)
            raise
        with self._lock:
            if isinstance(search.engine, Engine):
                self._busy.append(search.engine)
        self._running.add(running)
        running.future.add_done_callback(lambda _: self._release(search.engine))
        try:
            yield search
        finally:
            self._running.discard(running)
            running.stop()

    def look_inside(self, request: TreeRequest) -> TreeNode | None:
        """A node of the search that stands where the request says; looking at it keeps its memory.

        None if no search stands there, or none has been at that node.
        """
        position = replay(request.record).position
        path, end = follow_path(position, request.path)
        network = self._catalog.load(request.network, request.record.game)
        with self._lock:
            engines = [*self._busy, *(engine for _, engine in reversed(self._idle))]
        for engine in engines:
            node = engine.look_inside(position, path) if engine.network == network else None
            if node is not None:
                self._keep(engine)
                return tree_node(node, end)
        return None

    def _keep(self, engine: Engine) -> None:
        """The wait until an idle engine's memory is given back begins anew."""
        with self._lock:
            others = [entry for entry in self._idle if entry[1] is not engine]
            if len(others) < len(self._idle):
                self._idle = [*others, (time.monotonic(), engine)]

    def stop(self) -> None:
        """Ends all searches: the server is going."""
        for running in tuple(self._running):
            running.stop()

    @property
    def num_idle(self) -> int:
        """Engines that nobody uses and that still hold memory."""
        return len(self._idle)

    def give_back(self, now: float) -> None:
        """Lets go of the memory of engines that have idled long enough; `now` as time.monotonic()."""
        with self._lock:
            self._idle = [entry for entry in self._idle if now - entry[0] < IDLE_S]

    async def keep_giving_back(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(IDLE_S / 4)
            self.give_back(time.monotonic())

    def _prepare(self, request: SearchRequest) -> "PageSearch":
        """What may take a while: loading a network, making room for a tree."""
        position = replay(request.record).position
        if not position.legal_moves():
            raise RequestError(
                "the game is over", hint="Take a move back or start a new game.", where="record"
            )
        opponent = self._catalog.load(request.network, request.record.game)
        if isinstance(opponent, QuickOpponent):
            return PageSearch(opponent, position, Limits(movetime_s=_LONGEST_S))
        limits = engine_limits(request.limits, position, opponent)
        return PageSearch(self._engine_for(opponent), position, limits)

    def _take_place(self) -> None:
        with self._lock:
            if self.num_active >= self.max_searches:
                raise RequestError(
                    f"{self.num_active} searches are running, as many as this server allows at once",
                    status=429,
                    hint="Wait a moment, or stop another search.",
                )
            self.num_active += 1
            self.num_searches += 1

    def _engine_for(self, network: Network) -> Engine:
        """One that played with this network last, or a new one in place of the one that idled longest."""
        with self._lock:
            for entry in reversed(self._idle):
                if entry[1].network == network:
                    self._idle.remove(entry)
                    return entry[1]
            if self._idle and len(self._idle) + self.num_active > self.max_searches:
                self._idle.pop(0)
        return Engine(network, threads=self._threads, memory_mb=MEMORY_MB)

    def _release(self, engine: Engine | QuickOpponent | None) -> None:
        with self._lock:
            self.num_active -= 1
            if isinstance(engine, Engine):  # whoever does not search keeps no tree
                self._busy.remove(engine)
                self._idle.append((time.monotonic(), engine))


class PageSearch:
    """One search and its messages. A slow page misses some in between, never the last one."""

    def __init__(self, engine: Engine | QuickOpponent, position: Position, limits: Limits) -> None:
        self.engine = engine
        self._position = position
        self._limits = limits
        self._notation = {move: position.written(move) for move in position.legal_moves()}
        self._newest: Analysis | None = None
        self._running: RunningSearch | None = None

    def start(self) -> RunningSearch:
        """Returns at once; stop what it returns."""
        self._running = self.engine.start(
            self._position,
            self._limits,
            on_info=self._note,
            info_interval_s=MESSAGE_INTERVAL_S,
            num_lines=self._num_lines(),
        )
        return self._running

    def _num_lines(self) -> int:
        """The tree has all lines; alpha-beta searches each anew, so whoever plays gets the best one alone."""
        is_playing = self._limits.clock is not None or self._limits.algorithm is None
        if isinstance(self.engine, Engine) and self.engine.algorithm_for(self._limits) == "alphabeta":
            return 1 if is_playing else NUM_ALPHABETA_LINES
        return NUM_LINES

    async def messages(self) -> AsyncIterator[SearchMessage]:
        """Progress about ten times a second, then the result (or a problem)."""
        assert self._running is not None
        # Waited for, never awaited before it is done: a cancelled wait must not cancel the search's future.
        done = asyncio.wrap_future(self._running.future)
        sent = None
        while not (await asyncio.wait([done], timeout=MESSAGE_INTERVAL_S))[0]:
            newest = self._newest
            if newest is not None and newest is not sent:
                sent = newest
                yield SearchMessage(SearchProgress(**self._state(newest)))
        try:
            choice = done.result()
        except MiltonError as error:
            yield SearchMessage(stream_problem(error))
            return
        assert choice.move is not None  # the position has legal moves
        yield SearchMessage(SearchResult(move=choice.move, **self._state(choice.analysis)))

    def _note(self, analysis: Analysis) -> None:
        """Called from the engine's thread."""
        self._newest = analysis

    def _state(self, analysis: Analysis) -> dict[str, Any]:
        best = analysis.best
        is_alphabeta = analysis.algorithm == "alphabeta"
        num_exact = self._num_lines() if is_alphabeta else len(analysis.candidates)
        return {
            "nodes": analysis.num_nodes,
            "elapsed_ms": round(analysis.time_s * _MS_PER_S),
            "wdl": None if best is None else (best.wdl.win, best.wdl.draw, best.wdl.loss),
            "value": None if best is None else best.value,
            "candidates": [
                self._candidate(candidate, is_bound=rank >= num_exact and candidate.visits > 0)
                for rank, candidate in enumerate(analysis.candidates)
            ],
            "algorithm": "alphabeta" if is_alphabeta else "mcts",
            "depth": analysis.depth,
        }

    def _candidate(self, candidate: FoundCandidate, *, is_bound: bool) -> SearchCandidate:
        return SearchCandidate(
            move=candidate.move,
            notation=self._notation[candidate.move],
            visits=candidate.visits,
            prior=candidate.prior,
            value=candidate.value,
            is_bound=is_bound,
            mate_in=candidate.score.mate_in,
            pv=list(candidate.pv),
        )


def engine_limits(limits: SearchLimits, position: Position, network: Network) -> Limits:
    """What a page asks for, and never longer than any page may ask for."""
    only_moves = _root_moves(limits.only_moves, position)
    if limits.own:
        if network.own_search is None:
            raise RequestError(
                f"{network.name} has no limits of its own",
                hint="Give a level, simulations, moveTimeMs or a clock.",
                where="limits.own",
            )
        return Limits(
            simulations=network.own_search.simulations, movetime_s=_LONGEST_S, searchmoves=only_moves
        )
    if limits.level is not None:
        at_level = find_level(position.game, limits.level).limits()
        return replace(at_level, searchmoves=only_moves, algorithm=limits.algorithm)
    clock = None
    if limits.clock is not None:
        given = limits.clock
        is_first = position.side_to_move == "first"
        remaining_ms = given.white_ms if is_first else given.black_ms
        increment_ms = given.white_inc_ms if is_first else given.black_inc_ms
        clock = Clock(remaining_ms / _MS_PER_S, increment_ms / _MS_PER_S)
    longest_s = _LONGEST_S if limits.move_time_ms is None else limits.move_time_ms / _MS_PER_S
    # Whoever looks on without an end sees inside the tree; who plays on time gets the strongest search.
    is_timed = clock is not None or limits.move_time_ms is not None
    return Limits(
        simulations=limits.simulations,
        movetime_s=longest_s,
        clock=clock,
        searchmoves=only_moves,
        algorithm=limits.algorithm if limits.algorithm or is_timed else "mcts",
    )


def _root_moves(moves: list[str], position: Position) -> tuple[str, ...]:
    """The moves that a search is confined to; RequestError names one that is not legal."""
    try:
        return tuple(position.parse(move) for move in moves)
    except IllegalMoveError as error:
        raise RequestError(str(error), hint="Name legal moves only.", where="limits.onlyMoves") from error
