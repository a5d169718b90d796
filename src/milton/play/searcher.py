"""The two searches, Monte Carlo tree search and alpha-beta, behind one protocol. Knows no clock.

The core's searchers have this face by themselves; DenseTree gives it to networks evaluated in batches.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict, Unpack, cast, runtime_checkable

import numpy as np

from milton import _core
from milton._core import SearchReport, SearchSettings, TreeNode
from milton.games import CoreLine
from milton.inference.evaluator import Evaluator
from milton.inference.leaves import evaluate_leaves
from milton.play.network import Network

# Leaves of one tree in a batch: more would look at worse moves, fewer would leave the network idle.
LEAF_BATCH = 8

BYTES_PER_MB = 1 << 20
BYTES_PER_CACHE_ENTRY = 128
CACHE_SHARE = 16  # one part in so many of the memory is for evaluations; docs/search.md says why


class CoreLimits(TypedDict, total=False):
    """When a search of the core ends; the core says what holds where one is not given."""

    max_nodes: int
    soft_time_s: float
    hard_time_s: float
    average_depth: float
    stop_when_full: bool
    stop_early: bool
    only_moves: Sequence[str]
    num_lines: int


class Searcher(Protocol):
    """Searches one game. Only `request_stop`, `report` and `variation` may be called while it searches."""

    def set_settings(self, settings: SearchSettings) -> None: ...
    def set_threads(self, threads: int) -> None: ...
    def set_line(self, line: CoreLine) -> None: ...
    def forget(self) -> None: ...
    def search(self, **limits: Unpack[CoreLimits]) -> SearchReport: ...
    def request_stop(self) -> None: ...
    def clear_stop(self) -> None: ...
    def report(self) -> SearchReport: ...
    def move_text(self, bits: int) -> str: ...
    def variation(self, first: int, max_length: int = 32) -> list[str]: ...


@runtime_checkable
class HasTree(Protocol):
    """A searcher whose tree can be looked at, also while it searches."""

    def look_inside(self, line: CoreLine, path: Sequence[str]) -> TreeNode | None: ...


@runtime_checkable
class HasIterations(Protocol):
    """A searcher that deepens, and keeps what each iteration found if it is asked to."""

    def keep_iterations(self, keep: bool) -> None: ...
    def take_iterations(self) -> list[tuple[SearchReport, list[list[str]]]]: ...


def make_mcts(network: Network, settings: SearchSettings, memory_mb: int, threads: int) -> Searcher:
    core = getattr(_core, network.game)
    memory_bytes = memory_mb * BYTES_PER_MB
    if network.own_search is not None:
        return network.own_search.make_searcher(memory_bytes, threads)
    if network.dense is not None:
        return DenseTree(core.DenseSearch(memory_bytes, settings), network.dense)
    # Without a network there is nothing worth remembering.
    cache_entries = memory_bytes // CACHE_SHARE // BYTES_PER_CACHE_ENTRY if network.sparse else 0
    tree = core.Searcher(
        network.sparse,
        memory_bytes=memory_bytes - cache_entries * BYTES_PER_CACHE_ENTRY,
        threads=threads,
        cache_entries=cache_entries,
    )
    tree.set_settings(settings)
    return cast("Searcher", tree)


def can_play_alphabeta(network: Network) -> bool:
    """Alpha-beta is for games whose core has it, with the values of a sparse network."""
    core = getattr(_core, network.game)
    return network.sparse is not None and network.own_search is None and hasattr(core, "AlphaBetaSearcher")


def make_alphabeta(network: Network, memory_mb: int, threads: int, tuned: Mapping[str, int]) -> Searcher:
    """The transposition table gets all of the memory; `tuned` numbers replace built-in ones."""
    core = getattr(_core, network.game)
    memory_bytes = memory_mb * BYTES_PER_MB
    searcher = core.AlphaBetaSearcher(network.sparse, memory_bytes=memory_bytes, threads=threads)
    for name, value in tuned.items():
        searcher.set_parameter(name, value)
    return cast("Searcher", searcher)


class DenseTree:
    """A tree whose leaves are evaluated here, a few at a time; virtual losses keep them apart."""

    def __init__(self, search: Any, evaluator: Evaluator) -> None:
        self._search = search
        self._evaluator = evaluator
        self._spec = evaluator.description.spec

    def search(self, **limits: Unpack[CoreLimits]) -> SearchReport:
        search = self._search
        search.begin(**limits)
        buffer = np.empty((LEAF_BATCH, self._spec.packed_bytes), np.uint8)
        try:
            while True:
                leaves = buffer[: search.gather(buffer)]
                if len(leaves):
                    search.apply(*evaluate_leaves(self._evaluator, leaves))
                if search.should_stop():
                    break
        except BaseException:
            search.forget()  # leaves that are never applied would block the tree
            raise
        search.clear_stop()
        return cast("SearchReport", search.report())

    def set_settings(self, settings: SearchSettings) -> None:
        self._search.set_settings(settings)

    def set_threads(self, threads: int) -> None:
        """The evaluator has threads of its own."""

    def set_line(self, line: CoreLine) -> None:
        self._search.set_line(line)

    def forget(self) -> None:
        self._search.forget()

    def request_stop(self) -> None:
        self._search.request_stop()

    def clear_stop(self) -> None:
        self._search.clear_stop()

    def report(self) -> SearchReport:
        return cast("SearchReport", self._search.report())

    def move_text(self, bits: int) -> str:
        return str(self._search.move_text(bits))

    def variation(self, first: int, max_length: int = 32) -> list[str]:
        return list(self._search.variation(first, max_length))

    def look_inside(self, line: CoreLine, path: Sequence[str]) -> TreeNode | None:
        return cast("TreeNode | None", self._search.look_inside(line, list(path)))
