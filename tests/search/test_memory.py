"""A tree that is full forgets what was visited least and goes on growing where it matters."""

import pytest

from milton import _core
from milton.games import core_game

FEN = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_full_tree_is_pruned_and_every_simulation_still_counts(threads: int) -> None:
    core = core_game("chess")
    memory_bytes = 4 << 20
    assert memory_bytes < 60_000 * (_core.NODE_BYTES + 20 * _core.EDGE_BYTES)  # cannot hold them all
    searcher = core.Searcher(None, memory_bytes=memory_bytes, threads=threads)
    searcher.set_line(core.Line.from_text(FEN))
    report = searcher.search(max_nodes=60_000, stop_early=False)
    assert report.num_nodes == 60_000
    assert report.root_visits == 60_000
    assert sum(move.visits for move in report.moves) == 60_000 - 1  # the first expanded the root
    assert 0.0 < report.memory_used < 1.0  # room was made


def test_a_tree_with_no_room_at_all_goes_on_without_growing() -> None:
    core = core_game("chess")
    searcher = core.Searcher(None, memory_bytes=1)
    searcher.set_line(core.Line.from_text(FEN))
    report = searcher.search(max_nodes=500, stop_early=False)
    assert report.num_nodes == 500
    assert report.moves[0].visits > 0
