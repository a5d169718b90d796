"""Engine.choose: proofs, limits, determinism."""

import pytest
from playing import CHECKMATED, MATES_IN_1, MATES_IN_2, STALEMATED

from milton.errors import ArgumentError, IllegalMoveError
from milton.games import GAME_NAMES, Position
from milton.play import Clock, Engine, Limits, Network

START = Position.start("chess")


def visits_of(choice):
    return {candidate.move: candidate.visits for candidate in choice.candidates}


@pytest.mark.parametrize(("fen", "move"), MATES_IN_1.items())
def test_mate_in_1_is_proven_with_a_random_network(untrained, fen, move):
    choice = untrained.choose(Position.from_fen(fen), Limits(nodes=5_000))
    assert (choice.move, choice.mate_in) == (move, 1)
    assert choice.pv == (move,)
    assert choice.wdl.win == 1


@pytest.mark.parametrize(("fen", "move"), MATES_IN_2.items())
def test_mate_in_2_is_proven_with_a_random_network(untrained, fen, move):
    choice = untrained.choose(Position.from_fen(fen), Limits(nodes=500_000))
    assert (choice.move, choice.mate_in) == (move, 2)
    assert Position.from_fen(fen).play_all(choice.pv).outcome().reason == "checkmate"
    assert len(choice.pv) == 3


@pytest.mark.parametrize(("fen", "move"), MATES_IN_2.items())
def test_the_loser_sees_the_mate_coming(untrained, fen, move):
    choice = untrained.choose(Position.from_fen(fen).play(move), Limits(nodes=500_000))
    assert choice.mate_in == -1
    assert choice.wdl.loss == 1


@pytest.mark.parametrize("fen", MATES_IN_2)
def test_a_proven_mate_is_played_out(untrained, fen):
    position = Position.from_fen(fen)
    for _ in range(3):
        position = position.play(untrained.choose(position, Limits(nodes=500_000)).move)
    assert position.outcome().reason == "checkmate"


def test_a_search_for_mate_ends_when_there_is_none():
    engine = Engine(Network.uniform("chess"), memory_mb=2)
    choice = engine.choose(START, Limits(mate=2))
    assert choice.mate_in is None
    assert choice.move in START.legal_moves()


@pytest.mark.parametrize("fen", [CHECKMATED, STALEMATED])
def test_there_is_no_move_where_the_game_is_over(engine, fen):
    choice = engine.choose(Position.from_fen(fen), Limits(nodes=100))
    assert choice.move is None
    assert choice.candidates == ()


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_game_is_played_to_its_end(game):
    engine = Engine(Network.uniform(game), memory_mb=16)
    position = Position.start(game)
    while position.outcome(claim_draws=True) is None:
        position = position.play(engine.choose(position, Limits(nodes=30)).move)
    assert position.ply > 6


def test_nodes_are_counted_exactly(engine):
    # Quiet positions with many alike moves leave nothing to stop early for.
    assert engine.choose(START, Limits(nodes=777)).num_nodes == 777
    choice = engine.choose(START, Limits(simulations=777))
    assert choice.num_nodes == 777
    assert sum(visits_of(choice).values()) == choice.analysis.visits - 1


def test_one_node_is_the_networks_first_impression(engine):
    for limits in (Limits(nodes=1), Limits(simulations=1)):
        choice = engine.choose(START, limits)
        assert choice.num_nodes == 1
        assert choice.move == max(choice.candidates, key=lambda entry: entry.prior).move


def test_the_same_question_gets_the_same_answer(chess_net):
    counts = [
        visits_of(Engine(Network.load(chess_net), memory_mb=16).choose(START, Limits(nodes=2_000)))
        for _ in range(2)
    ]
    assert counts[0] == counts[1]


def test_a_fresh_search_forgets_the_one_before(engine):
    for fresh in (Limits(nodes=500, fresh=True), Limits(simulations=500, fresh=True)):
        first = engine.choose(START, fresh)
        assert visits_of(engine.choose(START, fresh)) == visits_of(first)
    assert engine.choose(START, Limits(simulations=500)).analysis.visits > 900


def test_the_tree_follows_the_game(engine):
    first = engine.choose(START, Limits(simulations=2_000))
    position = START.play(first.move).play(first.ponder_move)
    again = engine.choose(position, Limits(simulations=100))
    assert again.analysis.visits > again.num_nodes


def test_depth_ends_a_search_at_that_mean_depth(engine):
    choice = engine.choose(START, Limits(depth=3))
    assert choice.analysis.depth >= 3
    assert choice.analysis.max_depth >= choice.analysis.depth


def test_only_the_moves_to_search_are_searched(engine):
    moves = ("a2a3", "h2h4")
    choice = engine.choose(START, Limits(nodes=300, searchmoves=moves))
    assert sorted(visits_of(choice)) == sorted(moves)
    assert len(engine.choose(START, Limits(nodes=300)).candidates) == 20


def test_an_illegal_move_to_search_is_refused_and_the_engine_stays_usable(engine):
    with pytest.raises(IllegalMoveError):
        engine.choose(START, Limits(nodes=10, searchmoves=("e2e5",)))
    assert engine.choose(START, Limits(nodes=10)).move


def test_lines_are_legal_and_as_many_as_asked_for(engine):
    for limits in (Limits(nodes=3_000), Limits(simulations=3_000)):
        choice = engine.choose(START, limits, num_lines=3)
        assert all(len(candidate.pv) > 1 for candidate in choice.candidates[:3])
        for candidate in choice.candidates:
            START.play_all(candidate.pv)
    visits = [candidate.visits for candidate in choice.candidates]
    assert visits == sorted(visits, reverse=True)


def test_lines_of_a_finished_iteration_come_best_first(engine):
    choice = engine.choose(START, Limits(depth=4), num_lines=4)
    values = [candidate.value for candidate in choice.candidates[:4]]
    assert values == sorted(values, reverse=True)


def test_several_threads_play_too(chess_net):
    engine = Engine(Network.load(chess_net), memory_mb=64, threads=2)
    choice = engine.choose(START, Limits(nodes=20_000))
    assert choice.move in START.legal_moves()
    assert choice.num_nodes <= 20_100


def test_a_full_memory_does_not_end_the_game():
    engine = Engine(Network.uniform("chess"), memory_mb=1)
    choice = engine.choose(START, Limits(nodes=20_000))
    assert choice.num_nodes == 20_000
    assert choice.analysis.memory_used <= 1
    assert choice.move in START.legal_moves()


def test_one_legal_move_needs_no_time(engine):
    forced = Position.from_fen("k7/8/8/8/8/8/1r6/K7 w - - 0 1")
    assert forced.legal_moves() == ["a1b2"]
    assert engine.choose(forced, Limits(clock=Clock(3600))).num_nodes <= 256


def test_limits_that_limit_nothing_are_refused():
    with pytest.raises(ArgumentError, match="limit"):
        Limits()
    with pytest.raises(ArgumentError, match="nodes"):
        Limits(nodes=0)


def test_another_game_or_too_much_memory_is_refused(engine):
    with pytest.raises(ArgumentError, match="santorini"):
        engine.choose(Position.start("santorini"), Limits(nodes=1))
    with pytest.raises(ArgumentError, match="MB"):
        Engine(Network.uniform("chess"), memory_mb=10**9)
    with pytest.raises(ArgumentError, match="thread"):
        Engine(Network.uniform("chess"), threads=0)


@pytest.mark.parametrize(
    ("limits", "algorithm"),
    [
        (Limits(movetime_s=0.1), "alphabeta"),
        (Limits(clock=Clock(1.0)), "alphabeta"),
        (Limits(infinite=True), "alphabeta"),
        (Limits(nodes=10), "alphabeta"),
        (Limits(depth=3), "alphabeta"),
        (Limits(mate=2), "alphabeta"),
        (Limits(simulations=10), "mcts"),
        (Limits(movetime_s=0.1, simulations=10), "mcts"),
        (Limits(nodes=10, algorithm="mcts"), "mcts"),
        (Limits(simulations=10, algorithm="alphabeta"), "alphabeta"),
    ],
)
def test_simulations_ask_for_the_tree_and_everything_else_for_alphabeta(untrained, limits, algorithm):
    assert untrained.algorithm_for(limits) == algorithm


@pytest.mark.parametrize("num_lines", [1, 3])
def test_the_number_of_lines_never_decides_which_search_runs(untrained, num_lines):
    for limits, algorithm in ((Limits(nodes=500), "alphabeta"), (Limits(simulations=50), "mcts")):
        choice = untrained.choose(START, limits, num_lines=num_lines)
        assert choice.analysis.algorithm == algorithm
        assert all(len(candidate.pv) > 1 for candidate in choice.candidates[:num_lines])


def test_settings_choose_the_search(untrained):
    settings = untrained.settings
    untrained.set_settings(settings.model_copy(update={"algorithm": "mcts"}))
    try:
        assert untrained.choose(START, Limits(nodes=100)).analysis.algorithm == "mcts"
    finally:
        untrained.set_settings(settings)


def test_alphabeta_is_refused_where_it_cannot_play():
    engine = Engine(Network.uniform("santorini"), memory_mb=8)
    assert engine.algorithm_for(Limits(nodes=1)) == "mcts"
    with pytest.raises(ArgumentError, match="sparse chess network"):
        engine.choose(Position.start("santorini"), Limits(nodes=1, algorithm="alphabeta"))


def test_a_depth_is_the_iteration_that_alphabeta_finished(untrained):
    assert untrained.choose(START, Limits(depth=3)).analysis.depth == 3
