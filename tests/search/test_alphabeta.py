"""Alpha-beta in the core: mates, draws, limits, threads, and what it makes of a network."""

import threading

import pytest
from playing import MATES_IN_1, MATES_IN_2

from milton import _core
from milton.bench.networks import fixed_sparse_net
from milton.games import Position, core_game
from milton.play import find_network

CHESS = core_game("chess")
MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


@pytest.fixture(scope="module")
def net() -> _core.SparseNet:
    return fixed_sparse_net("chess", 64)


def searcher_at(fen: str, net: _core.SparseNet, threads: int = 1):
    searcher = CHESS.AlphaBetaSearcher(net, memory_bytes=4 << 20, threads=threads)
    searcher.set_line(Position.from_fen(fen).line)
    return searcher


def best_of(searcher, report) -> str:
    return searcher.move_text(report.moves[0].bits)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("fen", "move"), [*MATES_IN_1.items(), *MATES_IN_2.items()])
def test_short_mates_are_found_whatever_the_network_thinks(net, fen, move, threads):
    searcher = searcher_at(fen, net, threads)
    report = searcher.search()  # a proven mate is its only end
    assert best_of(searcher, report) == move
    assert report.moves[0].proof == "win"
    assert report.moves[0].proof_plies == (1 if fen in MATES_IN_1 else 3)
    line = searcher.variation(report.moves[0].bits)
    assert Position.from_fen(fen).play_all(line).outcome().reason == "checkmate"


@pytest.mark.parametrize(("fen", "move"), MATES_IN_2.items())
def test_the_loser_sees_the_mate_coming(net, fen, move):
    position = Position.from_fen(fen).play(move)
    searcher = searcher_at(position.fen, net)
    report = searcher.search()
    assert (report.moves[0].proof, report.moves[0].proof_plies) == ("loss", 2)


def test_every_quiet_move_at_ninety_nine_plies_is_a_draw(net):
    searcher = searcher_at("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", net)
    report = searcher.search(max_nodes=2_000)
    assert report.value == 0


def test_mate_comes_before_the_fifty_move_draw(net):
    searcher = searcher_at("7k/8/6K1/8/8/8/8/R7 w - - 99 80", net)
    assert best_of(searcher, searcher.search(max_nodes=2_000)) == "a1a8"


def test_a_third_repetition_is_a_draw(net):
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    position = Position.start("chess").play_all([*shuffle, *shuffle[:3]])
    searcher = searcher_at(MIDDLEGAME, net)
    searcher.set_line(position.line)
    assert searcher.search(max_nodes=2_000, only_moves=[shuffle[3]]).value == 0
    assert searcher.search(max_nodes=2_000, only_moves=["a7a6"]).value != 0


def test_the_same_nodes_give_the_same_search(net):
    reports = []
    for _ in range(2):
        searcher = searcher_at(MIDDLEGAME, net)
        report = searcher.search(max_nodes=20_000)
        reports.append([(move.bits, move.visits, move.value) for move in report.moves])
    assert reports[0] == reports[1]


def test_forgetting_makes_a_search_fresh(net):
    searcher = searcher_at(MIDDLEGAME, net)
    first = [move.visits for move in searcher.search(max_nodes=20_000).moves]
    searcher.forget()
    assert [move.visits for move in searcher.search(max_nodes=20_000).moves] == first


def test_limits_of_nodes_and_moves_are_kept(net):
    searcher = searcher_at(MIDDLEGAME, net)
    report = searcher.search(max_nodes=5_000, only_moves=["a3a4", "g5h4"])
    assert {searcher.move_text(move.bits) for move in report.moves} == {"a3a4", "g5h4"}
    assert 5_000 <= report.num_nodes < 5_100


@pytest.mark.parametrize("threads", [1, 2])
def test_time_and_stop_end_a_search(net, threads):
    searcher = searcher_at(MIDDLEGAME, net, threads)
    report = searcher.search(soft_time_s=0.1, hard_time_s=0.1, stop_early=False)  # nothing else would end it
    assert report.num_nodes > 0
    timer = threading.Timer(0.2, searcher.request_stop)
    timer.start()
    report = searcher.search()
    assert best_of(searcher, report) in Position.from_fen(MIDDLEGAME).legal_moves()


def test_a_stop_before_the_search_still_gives_a_move(net):
    searcher = searcher_at(MIDDLEGAME, net)
    searcher.request_stop()
    report = searcher.search()
    assert best_of(searcher, report) in Position.from_fen(MIDDLEGAME).legal_moves()


def test_a_senseless_network_cannot_keep_a_search_from_ending(net):
    """With values by chance captures never look settled: the first iteration alone would take for ever."""
    crowded = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    searcher = searcher_at(crowded, fixed_sparse_net("chess", 256))
    report = searcher.search(max_nodes=10_000)
    assert report.num_nodes < 10_100
    assert best_of(searcher, report) in Position.from_fen(crowded).legal_moves()


def test_nothing_is_reported_before_a_search_or_where_the_game_is_over(net):
    searcher = searcher_at(MIDDLEGAME, net)
    assert not searcher.report().moves
    searcher.set_line(Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").line)
    assert not searcher.search(max_nodes=100).moves


def test_the_champion_has_learnt_what_pieces_are_worth():
    searcher = searcher_at(MIDDLEGAME, find_network("chess").sparse)
    pawn, knight, bishop, rook, queen = searcher.piece_values
    assert pawn < min(knight, bishop) <= max(knight, bishop) < rook < queen
