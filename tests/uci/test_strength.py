"""Weaker play by UCI: Level, UCI_LimitStrength with UCI_Elo, LevelSeed, UCI_AnalyseMode."""

import pytest

from milton.play import elo_range, find_level, level_for_elo

FULL = 0


def nodes_of(lines: list[str]) -> int:
    return [int(line.split(" nodes ")[1].split()[0]) for line in lines if " nodes " in line][-1]


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


@pytest.mark.parametrize("go", ["go nodes 50000", "go wtime 60000 btime 60000", "go movetime 60000"])
def test_a_level_limits_every_search_and_zero_lifts_it(talk, go):
    talk.send("setoption name Level value 6", "position startpos")
    assert nodes_of(talk.ask(go)) == find_level("chess", 6).simulations
    talk.send(f"setoption name Level value {FULL}")
    assert nodes_of(talk.ask("go nodes 3000")) >= 3000


@pytest.mark.parametrize("limit", ["Level value 3", "UCI_LimitStrength value true"])
def test_a_level_is_a_tree_search_whatever_full_strength_searches_with(talk, limit):
    talk.send("setoption name Algorithm value alphabeta", f"setoption name {limit}", "position startpos")
    assert "info string algorithm mcts" in talk.ask("go movetime 60000")
    talk.send("setoption name UCI_AnalyseMode value true")
    assert "info string algorithm alphabeta" in talk.ask("go depth 1")


def test_the_highest_level_searches_as_without_one(talk):
    talk.send("setoption name Level value 10", "position startpos")
    assert nodes_of(talk.ask("go nodes 3000")) >= 3000


def test_elo_is_offered_from_the_lowest_measured_to_the_highest(talk):
    talk.send("uci")
    low, high = elo_range("chess")
    assert f"option name UCI_Elo type spin default {high} min {low} max {high}" in talk.until("uciok")


def test_an_elo_counts_only_while_strength_is_limited(talk):
    elo = find_level("chess", 5).elo
    talk.send(f"setoption name UCI_Elo value {elo}", "position startpos")
    assert nodes_of(talk.ask("go nodes 3000")) >= 3000
    talk.send("setoption name UCI_LimitStrength value true")
    assert nodes_of(talk.ask("go nodes 3000")) == level_for_elo("chess", elo).simulations
    # An Elo goes before a level.
    talk.send("setoption name Level value 7")
    assert nodes_of(talk.ask("go nodes 3000")) == level_for_elo("chess", elo).simulations


def test_an_elo_out_of_range_is_refused(talk):
    _, high = elo_range("chess")
    talk.send(f"setoption name UCI_Elo value {high + 1}")
    assert any("UCI_Elo: expected a number" in line for line in talk.ready())


def test_analysis_is_always_full_strength(talk):
    talk.send("setoption name Level value 1", "setoption name UCI_AnalyseMode value true")
    assert nodes_of(talk.ask("position startpos", "go nodes 3000")) >= 3000


def first_moves(talk, seed: int) -> list[str]:
    talk.send("setoption name Level value 1", f"setoption name LevelSeed value {seed}", "ucinewgame")
    moves: list[str] = []
    for _ in range(6):
        moves.append(best(talk.ask(f"position startpos moves {' '.join(moves)}", "go movetime 1000")))
    return moves


def test_equal_seeds_play_alike_and_others_vary(talk):
    assert first_moves(talk, 7) == first_moves(talk, 7)
    assert len({tuple(first_moves(talk, seed)) for seed in range(1, 6)}) > 2
    talk.send("setoption name LevelSeed value 0")


def test_the_moves_to_search_bind_a_level_too(talk):
    talk.send("setoption name Level value 2")
    for _ in range(8):
        assert best(talk.ask("position startpos", "go searchmoves a2a3 h2h3 movetime 1000")) in (
            "a2a3",
            "h2h3",
        )
