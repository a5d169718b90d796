"""Engine.choose: proofs, limits, determinism."""

import pytest
from playing import CHECKMATED, MATES_IN_1, MATES_IN_2, STALEMATED

from milton.errors import ArgumentError, IllegalMoveError
from milton.games import GAME_NAMES, Position
from milton.play import Clock, Engine, Limits, Network, level_limits
from milton.play.levels import HIGHEST_LEVEL, LOWEST_LEVEL, NODES_OF_LEVEL

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
    choice = engine.choose(START, Limits(nodes=777, infinite=False))
    assert choice.simulations <= 777
    assert sum(visits_of(choice).values()) == choice.analysis.visits - 1


def test_one_node_is_the_networks_first_impression(engine):
    choice = engine.choose(START, Limits(nodes=1))
    assert choice.simulations == 1
    assert choice.move == max(choice.candidates, key=lambda entry: entry.prior).move


def test_the_same_question_gets_the_same_answer(chess_net):
    counts = [
        visits_of(Engine(Network.load(chess_net), memory_mb=16).choose(START, Limits(nodes=2_000)))
        for _ in range(2)
    ]
    assert counts[0] == counts[1]


def test_a_fresh_search_forgets_the_one_before(engine):
    first = engine.choose(START, Limits(nodes=500, fresh=True))
    assert visits_of(engine.choose(START, Limits(nodes=500, fresh=True))) == visits_of(first)
    assert engine.choose(START, Limits(nodes=500)).analysis.visits > 900


def test_the_tree_follows_the_game(engine):
    first = engine.choose(START, Limits(nodes=2_000))
    position = START.play(first.move).play(first.ponder_move)
    again = engine.choose(position, Limits(nodes=100))
    assert again.analysis.visits > again.simulations


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
    choice = engine.choose(START, Limits(nodes=3_000), num_lines=3)
    assert all(len(candidate.pv) > 1 for candidate in choice.candidates[:3])
    for candidate in choice.candidates:
        START.play_all(candidate.pv)
    assert [c.visits for c in choice.candidates] == sorted(
        (c.visits for c in choice.candidates), reverse=True
    )


def test_several_threads_play_too(chess_net):
    engine = Engine(Network.load(chess_net), memory_mb=64, threads=2)
    choice = engine.choose(START, Limits(nodes=20_000))
    assert choice.move in START.legal_moves()
    assert choice.simulations <= 20_100


def test_a_full_memory_does_not_end_the_game():
    engine = Engine(Network.uniform("chess"), memory_mb=1)
    choice = engine.choose(START, Limits(nodes=20_000))
    assert choice.simulations == 20_000
    assert choice.analysis.memory_used <= 1
    assert choice.move in START.legal_moves()


def test_one_legal_move_needs_no_time(engine):
    forced = Position.from_fen("k7/8/8/8/8/8/1r6/K7 w - - 0 1")
    assert forced.legal_moves() == ["a1b2"]
    assert engine.choose(forced, Limits(clock=Clock(3600))).simulations <= 256


def test_levels_search_more_and_more():
    assert list(NODES_OF_LEVEL) == sorted(set(NODES_OF_LEVEL))
    assert [level_limits(level).nodes for level in range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)] == list(
        NODES_OF_LEVEL
    )
    for level in (0, 11):
        with pytest.raises(ArgumentError, match="level"):
            level_limits(level)


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
    ("limits", "is_time_only"),
    [
        (Limits(movetime_s=0.1), True),
        (Limits(clock=Clock(1.0)), True),
        (Limits(infinite=True), True),
        (Limits(nodes=10), False),
        (Limits(movetime_s=0.1, nodes=10), False),
        (Limits(clock=Clock(1.0), depth=3), False),
        (Limits(infinite=True, mate=2), False),
    ],
)
def test_which_limits_are_time_alone(limits, is_time_only):
    assert limits.is_time_only == is_time_only


def test_chess_on_time_is_searched_by_alphabeta_and_the_rest_by_the_tree(untrained):
    """A tree's visits of moves add up to those of the root; alpha-beta's depth is a whole number of plies."""
    by_tree = untrained.choose(START, Limits(movetime_s=0.05), num_lines=2)
    by_alphabeta = untrained.choose(START, Limits(movetime_s=0.05))
    assert by_alphabeta.analysis.depth == int(by_alphabeta.analysis.depth) > 1
    assert by_tree.analysis.depth != int(by_tree.analysis.depth)
    settings = untrained.settings
    untrained.set_settings(settings.model_copy(update={"play_alphabeta": False}))
    try:
        assert untrained.choose(START, Limits(movetime_s=0.05)).analysis.depth != int(
            by_alphabeta.analysis.depth
        )
    finally:
        untrained.set_settings(settings)
