"""Chooses a move within limits. Every door plays through Engine; none of them searches by itself.

Knows nothing of protocols. An engine plays one game at a time: its searches follow the positions it is given.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from milton.config import Algorithm, SearchSettings, default_search, derive_seed
from milton.errors import ArgumentError
from milton.games import Position
from milton.inference.search_settings import core_search_settings
from milton.play.choice import Choice
from milton.play.clock import DEFAULT_MOVE_OVERHEAD_S, Lag
from milton.play.limits import Limits
from milton.play.network import Network, find_network
from milton.play.running import RunningSearch
from milton.play.scheduling import step_back
from milton.play.search import Search, SearchTask
from milton.play.searcher import (
    HasTree,
    Searcher,
    can_play_alphabeta,
    make_alphabeta,
    make_mcts,
)
from milton.play.tree import TreeNode, read_node
from milton.play.watcher import REPORT_INTERVAL_S, OnInfo
from milton.system import physical_memory_mb

DEFAULT_MEMORY_MB = 64
_SEED_BITS = 64


class Engine:
    """`choose` blocks; `start` returns at once with a handle. One search at a time."""

    def __init__(
        self,
        network: Network,
        *,
        threads: int = 1,
        memory_mb: int = DEFAULT_MEMORY_MB,
        settings: SearchSettings | None = None,
        move_overhead_s: float = DEFAULT_MOVE_OVERHEAD_S,
        seed: int | None = None,
        niceness: int = 0,
    ) -> None:
        """`seed` is of the levels' choices: the same one plays the same games. None: every game differs.

        `niceness`: how far search threads give way to the rest of the process.
        """
        check_memory(memory_mb)
        if threads < 1:
            raise ArgumentError(f"expected at least one thread, got {threads}")
        self.move_overhead_s = move_overhead_s
        self._lag = Lag()
        self.seed = seed
        self._niceness = niceness
        self._network = network
        self._threads = threads
        self._memory_mb = memory_mb
        self._settings = settings or default_search(network.game)
        self._searchers: dict[Algorithm, Searcher] = {}  # made when they are first needed
        self._tuned: dict[str, int] = {}  # numbers of alpha-beta that differ from the built-in ones
        self._lock = threading.Lock()  # held while a search runs or is changed
        self._running: RunningSearch | None = None

    @classmethod
    def open(
        cls,
        checkpoint: Path | Network | None = None,
        game: str = "chess",
        *,
        threads: int = 1,
        memory_mb: int = DEFAULT_MEMORY_MB,
        settings: SearchSettings | None = None,
        move_overhead_s: float = DEFAULT_MOVE_OVERHEAD_S,
    ) -> "Engine":
        """An engine for a checkpoint; None takes the shipped champion, or no network if there is none."""
        network = checkpoint if isinstance(checkpoint, Network) else find_network(game, checkpoint)
        return cls(
            network,
            threads=threads,
            memory_mb=memory_mb,
            settings=settings,
            move_overhead_s=move_overhead_s,
        )

    # What is it?

    @property
    def game(self) -> str:
        return self._network.game

    @property
    def network(self) -> Network:
        return self._network

    @property
    def settings(self) -> SearchSettings:
        return self._settings

    @property
    def is_searching(self) -> bool:
        return self._running is not None

    # Which move?

    def algorithm_for(self, limits: Limits) -> Algorithm:
        """Which search a question gets. Sole home of the choice; docs/alphabeta.md says why.

        Simulations are a question to the tree. Everything else is answered by alpha-beta where it can play.
        """
        wanted = limits.algorithm or self._settings.algorithm
        if wanted == "mcts":
            return "mcts"
        if wanted == "alphabeta" and not can_play_alphabeta(self._network):
            raise ArgumentError(
                f"alpha-beta needs a sparse chess network, {self._network.name} is none: "
                "set search.algorithm to mcts or auto"
            )
        is_for_tree = limits.simulations is not None or not can_play_alphabeta(self._network)
        return "mcts" if wanted == "auto" and is_for_tree else "alphabeta"

    def prepare(self, limits: Limits | None = None) -> None:
        """Takes the memory for a search now, so that no clock runs while it is taken."""
        with self._between_moves():
            self._searcher(self.algorithm_for(limits or Limits(infinite=True)))

    def choose(
        self, position: Position, limits: Limits, *, on_info: OnInfo | None = None, num_lines: int = 1
    ) -> Choice:
        """Searches in this thread until a limit is reached. `on_info` is called from another one.

        `num_lines` candidates come with exact scores and variations.
        """
        search = self._begin(position, limits, ponder=False, num_lines=num_lines)
        self._run(search, on_info, None)
        return search.running.result()

    def start(
        self,
        position: Position,
        limits: Limits,
        *,
        ponder: bool = False,
        on_info: OnInfo | None = None,
        on_choice: Callable[[Choice], None] | None = None,
        num_lines: int = 1,
        info_interval_s: float = REPORT_INTERVAL_S,
        every_depth: bool = False,
        asked_s: float | None = None,
        patience_s: float = 0.0,
    ) -> RunningSearch:
        """Searches in a thread of its own. Time counts from `asked_s` (of time.perf_counter, now if it is not
        given), or from the ponder hit.

        `on_choice` is called from that thread, before the engine is free; it must not call the engine.
        With `every_depth`, `on_info` hears of each iteration of alpha-beta, not only of the newest.
        A search that takes no longer than `patience_s` is made before this returns: on a busy core another
        thread costs more than such a search.
        """
        search = self._begin(position, limits, ponder, num_lines, asked_s, every_depth)
        if search.longest_s <= patience_s:
            self._run(search, on_info, on_choice, info_interval_s)
            return search.running

        def run_aside() -> None:
            step_back(self._niceness)
            self._run(search, on_info, on_choice, info_interval_s)

        threading.Thread(target=run_aside, name="search").start()
        return search.running

    def look_inside(self, position: Position, path: Sequence[str] = ()) -> TreeNode | None:
        """The node of the search tree that `path` leads to from `position`; from any thread, at any time.

        None if the tree belongs to another position or has no such node. IllegalMoveError for a bad path.
        """
        tree = self._searchers.get("mcts")
        if not isinstance(tree, HasTree):
            return None
        node = tree.look_inside(position.line, path)
        return None if node is None else read_node(node)

    def stop(self) -> None:
        """Ends the running search, if there is one, and waits until its choice has been delivered."""
        running = self._running
        if running is not None:
            running.stop()
        with self._lock:
            pass

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Changes between moves

    def swap(self, network: Network | Path) -> None:
        """Switches to another network. Search results of the old one are forgotten."""
        if isinstance(network, Path):
            network = Network.load(network, self.game)
        if network.game != self.game:
            raise ArgumentError(f"expected a network for {self.game}, got one for {network.game}")
        with self._between_moves():
            self._network = network
            self._searchers.clear()

    def set_threads(self, threads: int) -> None:
        if threads < 1:
            raise ArgumentError(f"expected at least one thread, got {threads}")
        with self._between_moves():
            self._threads = threads
            for searcher in self._searchers.values():
                searcher.set_threads(threads)

    @property
    def memory_mb(self) -> int:
        """Less than was asked for where there was not so much to be had."""
        return self._memory_mb

    def set_memory(self, memory_mb: int) -> None:
        check_memory(memory_mb)
        with self._between_moves():
            self._memory_mb = memory_mb
            self._searchers.clear()

    def set_settings(self, settings: SearchSettings) -> None:
        with self._between_moves():
            self._settings = settings
            if "mcts" in self._searchers:
                self._searchers["mcts"].set_settings(core_search_settings(settings))

    def tune(self, name: str, value: int) -> None:
        """Sets one number of alpha-beta (core/alphabeta/parameters.h); ArgumentError if it does not fit."""
        with self._between_moves():
            searcher = self._searcher("alphabeta")
            searcher.set_parameter(name, value)  # type: ignore[attr-defined]
            self._tuned[name] = value

    def forget(self) -> None:
        """Another game begins."""
        with self._between_moves():
            for searcher in self._searchers.values():
                searcher.forget()

    # How it works

    def _searcher(self, algorithm: Algorithm) -> Searcher:
        while algorithm not in self._searchers:
            try:
                self._searchers[algorithm] = self._make_searcher(algorithm)
            except MemoryError:  # the machine has it, but not for us: a smaller table plays, none does not
                if self._memory_mb == 1:
                    raise
                self._memory_mb //= 2
        return self._searchers[algorithm]

    def _make_searcher(self, algorithm: Algorithm) -> Searcher:
        if algorithm == "alphabeta":
            return make_alphabeta(self._network, self._memory_mb, self._threads, self._tuned)
        settings = core_search_settings(self._settings)
        return make_mcts(self._network, settings, self._memory_mb, self._threads)

    @contextmanager
    def _between_moves(self) -> Iterator[None]:
        """Refuses instead of waiting: a change must not hang a door behind a search."""
        if self._running is not None:
            raise ArgumentError("the engine is searching: stop it first")
        with self._lock:  # a search that has just ended may be delivering its choice
            yield

    def _begin(
        self,
        position: Position,
        limits: Limits,
        ponder: bool,
        num_lines: int,
        asked_s: float | None = None,
        every_depth: bool = False,
    ) -> Search:
        if position.game != self.game:
            raise ArgumentError(f"expected a position of {self.game}, got one of {position.game}")
        for move in limits.searchmoves:
            position.parse(move)
        started = time.perf_counter() if asked_s is None else asked_s
        if limits.clock is not None:
            self._lag.read(limits.clock, position.ply)
        overhead_s, lag_s = self.move_overhead_s, self._lag.seconds
        with self._between_moves():
            algorithm = self.algorithm_for(limits)
            searcher = self._searcher(algorithm)
            searcher.clear_stop()
            running = RunningSearch(searcher.request_stop, ponder)
            self._running = running
        seed = self._choice_seed(position)
        task = SearchTask(
            position, limits, algorithm, num_lines, overhead_s, lag_s, started, seed, every_depth
        )
        return Search(searcher, running, task)

    def _choice_seed(self, position: Position) -> int:
        """64 bits; the ply tells a repeated position from its first time."""
        if self.seed is None:
            return random.getrandbits(_SEED_BITS)
        return derive_seed(self.seed, position.line.hash, position.ply)

    def _run(
        self,
        search: Search,
        on_info: OnInfo | None,
        on_choice: Callable[[Choice], None] | None,
        info_interval_s: float = REPORT_INTERVAL_S,
    ) -> None:
        with self._lock:
            try:
                choice = search.run(on_info, info_interval_s)
                self._running = None
                if on_choice is not None:
                    on_choice(choice)
                search.report_lag(self._lag)
            except BaseException as error:
                self._running = None
                search.running.future.set_exception(error)
                if on_choice is not None:
                    raise  # there may be no one waiting for the choice
                return
        search.running.future.set_result(choice)


def check_memory(memory_mb: int) -> None:
    """Refuses what the machine does not have: the core takes its memory in one piece."""
    most = physical_memory_mb()
    if not 1 <= memory_mb <= most:
        raise ArgumentError(f"expected memory from 1 to {most} MB, got {memory_mb}")
