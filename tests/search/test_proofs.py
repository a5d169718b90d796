"""What search knows for certain: wins, losses and draws are proven, kept between moves, and played out."""

import numpy as np
import pytest

from milton.games import core_game

MATES = {
    # side to move mates in 1 (one ply) and in 2 (three plies)
    1: ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"),
    3: ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6"),
}


def searcher(game: str, line, **options):
    made = core_game(game).Searcher(None, memory_bytes=16 << 20, **options)
    made.set_line(line)
    return made


@pytest.mark.parametrize("plies", MATES)
@pytest.mark.parametrize("threads", [1, 2])
def test_mates_are_proven_without_any_knowledge(plies, threads):
    fen, move = MATES[plies]
    search = searcher("chess", core_game("chess").Line.from_text(fen), threads=threads)
    report = search.search(max_nodes=60_000)
    best = report.moves[0]
    assert (search.move_text(best.bits), best.proof) == (move, "win")
    assert best.proof_plies == plies
    assert report.num_nodes < 60_000  # nothing is left to search


def test_a_lost_position_is_proven_lost_and_the_longest_defence_comes_first():
    line = core_game("chess").Line.from_text(MATES[3][0]).play(MATES[3][1])
    report = searcher("chess", line).search(max_nodes=60_000)
    assert {move.proof for move in report.moves} == {"loss"}
    plies = [move.proof_plies for move in report.moves]
    assert plies == sorted(plies, reverse=True)


def solve(line) -> int:
    """The result with best play for the side to move: 1 won, 0 drawn, -1 lost."""
    end = line.outcome()
    if end is not None:
        return 0 if end[1] < 0 else 1 if end[1] == line.side_to_move else -1
    return max(-solve(line.play(move)) for move in line.legal_moves())


def late_positions(count: int):
    """Connect Four with a handful of empty cells, nobody having won, from random games."""
    random = np.random.default_rng(1)
    while count:
        line = core_game("connect_four").Line.start()
        while line.ply < 35 and line.outcome() is None:
            moves = line.legal_moves()
            line = line.play(moves[random.integers(len(moves))])
        if line.outcome() is None:
            count -= 1
            yield line


def test_late_positions_are_proven_as_they_are():
    seen = set()
    for line in late_positions(40):
        expected = {1: "win", 0: "draw", -1: "loss"}[solve(line)]
        report = searcher("connect_four", line).search(max_nodes=50_000)
        assert report.moves[0].proof == expected
        seen.add(expected)
    assert seen == {"win", "draw", "loss"}


@pytest.mark.parametrize("game", ["chess", "santorini", "connect_four"])
def test_the_visits_of_a_played_move_are_kept(game):
    line = core_game(game).Line.start()
    search = searcher(game, line)
    before = search.search(max_nodes=2000, stop_early=False)
    best = before.moves[0]
    search.set_line(line.play(search.move_text(best.bits)))
    after = search.search(max_nodes=1, stop_early=False)
    assert best.visits <= after.root_visits <= best.visits + 1
    assert after.root_visits > 2000 // len(before.moves)
