"""One search behind one face: a tree, its network in the core or outside, or alpha-beta. Knows no clock.

The core's searchers have this face by themselves; DenseTree gives it to networks evaluated in batches.
"""

from collections.abc import Sequence
from typing import Any, Protocol, cast

import numpy as np

from milton import _core
from milton._core import SearchReport, SearchSettings
from milton.games import CoreLine
from milton.inference.evaluator import Evaluator
from milton.inference.leaves import evaluate_leaves
from milton.play.network import Network

# Leaves of one tree in a batch: more would look at worse moves, fewer would leave the network idle.
LEAF_BATCH = 8

BYTES_PER_MB = 1 << 20
BYTES_PER_CACHE_ENTRY = 128
ALPHABETA_SHARE = 8  # the same for what alpha-beta remembers
CACHE_SHARE = 16  # one part in so many of the memory is for evaluations; docs/search.md says why


class Tree(Protocol):
    """Searches one game. Only `request_stop`, `report` and `variation` may be called while it searches."""

    def set_settings(self, settings: SearchSettings) -> None: ...
    def set_threads(self, threads: int) -> None: ...
    def set_line(self, line: CoreLine) -> None: ...
    def forget(self) -> None: ...
    def search(
        self,
        max_simulations: int = 0,
        soft_time_s: float = 0.0,
        hard_time_s: float = 0.0,
        average_depth: float = 0.0,
        stop_when_full: bool = False,
        stop_early: bool = True,
        only_moves: Sequence[str] = (),
    ) -> SearchReport: ...
    def request_stop(self) -> None: ...
    def clear_stop(self) -> None: ...
    def report(self) -> SearchReport: ...
    def move_text(self, bits: int) -> str: ...
    def variation(self, first: int, max_length: int = 32) -> list[str]: ...


def make_tree(network: Network, settings: SearchSettings, memory_mb: int, threads: int) -> Tree:
    core = getattr(_core, network.game)
    memory_bytes = memory_mb * BYTES_PER_MB
    if network.own_search is not None:
        return network.own_search.make_tree(memory_bytes, threads)
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
    return cast("Tree", tree)


def make_alphabeta(network: Network, memory_mb: int, threads: int) -> Tree | None:
    """Alpha-beta with the network's values; None where there is none: it is chess, by a sparse network."""
    core = getattr(_core, network.game)
    if network.sparse is None or network.own_search is not None or not hasattr(core, "AlphaBetaSearcher"):
        return None
    memory_bytes = memory_mb * BYTES_PER_MB // ALPHABETA_SHARE
    return cast("Tree", core.AlphaBetaSearcher(network.sparse, memory_bytes=memory_bytes, threads=threads))


class DenseTree:
    """A tree whose leaves are evaluated here, a few at a time; virtual losses keep them apart."""

    def __init__(self, search: Any, evaluator: Evaluator) -> None:
        self._search = search
        self._evaluator = evaluator
        self._spec = evaluator.description.spec

    def search(
        self,
        max_simulations: int = 0,
        soft_time_s: float = 0.0,
        hard_time_s: float = 0.0,
        average_depth: float = 0.0,
        stop_when_full: bool = False,
        stop_early: bool = True,
        only_moves: Sequence[str] = (),
    ) -> SearchReport:
        search = self._search
        search.begin(
            max_simulations, soft_time_s, hard_time_s, average_depth, stop_when_full, stop_early, only_moves
        )
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
