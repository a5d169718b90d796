"""One tree in the core: draws inside it, memory, threads, kept work."""

import pytest

from milton import _core
from milton.bench.networks import fixed_sparse_net
from milton.games import Position, core_game

CHESS = core_game("chess")
MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


@pytest.fixture(scope="module")
def net() -> _core.SparseNet:
    return fixed_sparse_net("chess", 64)


def searcher_at(position: Position, net: _core.SparseNet | None, **options: int):
    searcher = CHESS.Searcher(net, **{"memory_bytes": 16 << 20, **options})
    searcher.set_line(position.line)
    return searcher


def by_move(searcher, report) -> dict[str, _core.RootMove]:
    return {searcher.move_text(move.bits): move for move in report.moves}


def visits_of(searcher, report) -> dict[str, int]:
    return {text: move.visits for text, move in by_move(searcher, report).items()}


def test_what_is_remembered_does_not_change_the_search(net):
    """Evaluations by position hash: the network sees neither clocks nor repetitions."""
    counts = []
    for cache_entries in (1, 1 << 16):
        searcher = searcher_at(Position.from_fen(ENDGAME), net, cache_entries=cache_entries)
        counts.append(visits_of(searcher, searcher.search(max_nodes=3_000, stop_early=False)))
    assert counts[0] == counts[1]


def test_every_quiet_move_at_ninety_nine_plies_is_a_draw(net):
    searcher = searcher_at(Position.from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), net)
    report = searcher.search(max_nodes=1_000)
    assert {move.proof for move in report.moves} == {"draw"}


def test_mate_comes_before_the_fifty_move_draw(net):
    searcher = searcher_at(Position.from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), net)
    report = searcher.search(max_nodes=1_000)
    assert searcher.move_text(report.moves[0].bits) == "a1a8"
    assert report.moves[0].proof == "win"


def test_a_third_repetition_counts_as_a_draw_but_proves_nothing(net):
    position = Position.start("chess").play_all([*SHUFFLE, *SHUFFLE[:3]])
    searcher = searcher_at(position, net)
    found = by_move(searcher, searcher.search(max_nodes=2_000, stop_early=False))
    back = found[SHUFFLE[3]]
    assert back.visits > 0
    assert (back.value, back.draw, back.proof) == (0.0, 1.0, "unknown")
    assert all(move.draw < 1 for text, move in found.items() if text != SHUFFLE[3] and move.visits)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",  # too little material
        "4k3/8/8/8/8/8/8/R3K3 w - - 150 90",  # seventy-five moves
        "4k3/8/8/8/8/8/8/R3K3 w - - 100 90",  # fifty moves, to be claimed
    ],
)
def test_whoever_asks_for_a_move_in_a_drawn_position_gets_one(net, fen):
    report = searcher_at(Position.from_fen(fen), net).search(max_nodes=200)
    assert report.moves
    assert report.moves[0].proof == "draw"


def test_the_same_moves_to_search_go_on_with_their_tree(net):
    searcher = searcher_at(Position.from_fen(MIDDLEGAME), net)
    moves = ["g5f6", "a3a4"]
    searcher.search(max_nodes=300, stop_early=False, only_moves=moves)
    searcher.set_line(Position.from_fen(MIDDLEGAME).line)
    again = searcher.search(max_nodes=100, stop_early=False, only_moves=moves)
    assert again.root_visits == 400
    assert sorted(by_move(searcher, again)) == sorted(moves)
    assert len(searcher.search(max_nodes=100).moves) == 46
    other = searcher.search(max_nodes=100, stop_early=False, only_moves=moves[:1])
    assert (len(other.moves), other.root_visits) == (1, 100)


@pytest.mark.parametrize("threads", [1, 3])
def test_no_visit_is_lost_and_no_virtual_loss_left_behind(net, threads):
    searcher = searcher_at(Position.from_fen(MIDDLEGAME), net, threads=threads)
    report = searcher.search(max_nodes=5_000, stop_early=False)
    assert report.num_nodes >= 5_000
    assert sum(move.visits for move in report.moves) == report.root_visits - 1
    assert all(-1 <= move.value <= 1 for move in report.moves)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_full_memory_neither_ends_nor_spoils_a_search(net, threads):
    searcher = searcher_at(Position.from_fen(MIDDLEGAME), net, memory_bytes=1 << 18, threads=threads)
    report = searcher.search(max_nodes=20_000, stop_early=False)
    assert 20_000 * _core.NODE_BYTES > 1 << 18  # cannot hold them all
    assert report.num_nodes >= 20_000
    assert sum(move.visits for move in report.moves) == report.root_visits - 1


def test_the_variation_is_legal_at_any_moment_of_a_search(net):
    searcher = searcher_at(Position.from_fen(MIDDLEGAME), net)
    for _ in range(20):
        report = searcher.search(max_nodes=50, stop_early=False)
        for move in report.moves:
            Position.from_fen(MIDDLEGAME).play_all(searcher.variation(move.bits))
