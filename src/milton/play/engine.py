"""Chooses a move within limits. Every door plays through Engine; none of them searches by itself.

Knows nothing of protocols. An engine plays one game at a time: its tree follows the positions it is given.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from milton.config import SearchSettings, default_search
from milton.errors import ArgumentError
from milton.games import Position
from milton.inference.search_settings import core_search_settings
from milton.play.choice import Choice
from milton.play.clock import DEFAULT_MOVE_OVERHEAD_S
from milton.play.limits import Limits
from milton.play.network import Network, find_network
from milton.play.running import RunningSearch
from milton.play.search import Search
from milton.play.tree import BYTES_PER_MB, Tree, make_alphabeta, make_tree
from milton.play.watcher import REPORT_INTERVAL_S, OnInfo

DEFAULT_MEMORY_MB = 1024


def physical_memory_mb() -> int:
    return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // BYTES_PER_MB)


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
    ) -> None:
        check_memory(memory_mb)
        if threads < 1:
            raise ArgumentError(f"expected at least one thread, got {threads}")
        self.move_overhead_s = move_overhead_s
        self._network = network
        self._threads = threads
        self._memory_mb = memory_mb
        self._settings = settings or default_search(network.game)
        self._tree = self._new_tree()
        self._alphabeta: Tree | None = None  # made when it is first needed
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

    def choose(
        self, position: Position, limits: Limits, *, on_info: OnInfo | None = None, num_lines: int = 1
    ) -> Choice:
        """Searches in this thread until a limit is reached. `on_info` is called from another one.

        `num_lines` candidates come with their variations.
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
    ) -> RunningSearch:
        """Searches in a thread of its own. Time counts from now, or from the ponder hit.

        `on_choice` is called from that thread, before the engine is free; it must not call the engine.
        """
        search = self._begin(position, limits, ponder, num_lines)
        threading.Thread(
            target=self._run, args=(search, on_info, on_choice, info_interval_s), name="search"
        ).start()
        return search.running

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
        """Plays on with another network. What was searched is forgotten: it was the old one's opinion."""
        if isinstance(network, Path):
            network = Network.load(network, self.game)
        if network.game != self.game:
            raise ArgumentError(f"expected a network for {self.game}, got one for {network.game}")
        with self._between_moves():
            self._network = network
            self._tree = self._new_tree()
            self._alphabeta = None

    def set_threads(self, threads: int) -> None:
        if threads < 1:
            raise ArgumentError(f"expected at least one thread, got {threads}")
        with self._between_moves():
            self._threads = threads
            for search in self._searches():
                search.set_threads(threads)

    def set_memory(self, memory_mb: int) -> None:
        check_memory(memory_mb)
        with self._between_moves():
            self._memory_mb = memory_mb
            self._tree = self._new_tree()
            self._alphabeta = None

    def set_settings(self, settings: SearchSettings) -> None:
        with self._between_moves():
            self._settings = settings
            self._tree.set_settings(core_search_settings(settings))

    def forget(self) -> None:
        """Another game begins."""
        with self._between_moves():
            for search in self._searches():
                search.forget()

    # How it works

    def _searches(self) -> tuple[Tree, ...]:
        return (self._tree,) if self._alphabeta is None else (self._tree, self._alphabeta)

    def _search_for(self, limits: Limits, num_lines: int) -> Tree:
        """Alpha-beta makes more of time, the tree of a given number of looks (docs/search.md)."""
        if not (self._settings.play_alphabeta and limits.is_time_only and num_lines == 1):
            return self._tree
        if self._alphabeta is None:
            self._alphabeta = make_alphabeta(self._network, self._memory_mb, self._threads)
        return self._alphabeta or self._tree

    def _new_tree(self) -> Tree:
        return make_tree(self._network, core_search_settings(self._settings), self._memory_mb, self._threads)

    @contextmanager
    def _between_moves(self) -> Iterator[None]:
        """Refuses instead of waiting: a change must not hang a door behind a search."""
        if self._running is not None:
            raise ArgumentError("the engine is searching: stop it first")
        with self._lock:  # a search that has just ended may be delivering its choice
            yield

    def _begin(self, position: Position, limits: Limits, ponder: bool, num_lines: int) -> Search:
        if position.game != self.game:
            raise ArgumentError(f"expected a position of {self.game}, got one of {position.game}")
        for move in limits.searchmoves:
            position.parse(move)
        started = time.perf_counter()
        with self._between_moves():
            tree = self._search_for(limits, num_lines)
            tree.clear_stop()
            running = RunningSearch(tree.request_stop, ponder)
            self._running = running
        return Search(tree, running, position, limits, num_lines, self.move_overhead_s, started)

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
            except BaseException as error:
                self._running = None
                search.running.future.set_exception(error)
                if on_choice is not None:
                    raise  # nobody may be waiting for the choice
                return
        search.running.future.set_result(choice)


def check_memory(memory_mb: int) -> None:
    """Refuses what the machine does not have: the core takes its memory in one piece."""
    most = physical_memory_mb()
    if not 1 <= memory_mb <= most:
        raise ArgumentError(f"expected memory from 1 to {most} MB, got {memory_mb}")
