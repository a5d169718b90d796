"""Inside a search tree: visits add up, values belong to the side to move, U is what the formula says."""

import math

import pytest

from milton import _core
from milton.config import GAME_NAMES, default_search
from milton.errors import IllegalMoveError
from milton.games import Position
from milton.play import Engine, Limits, Network, TreeNode

SIMULATIONS = 600
MATE_IN_1 = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def searched(position: Position, simulations: int = SIMULATIONS, **changes: float) -> Engine:
    settings = default_search(position.game).model_copy(update=changes)
    engine = Engine(Network.uniform(position.game), settings=settings)
    engine.choose(position, Limits(simulations=simulations))
    return engine


def look(engine: Engine, position: Position, *path: str) -> TreeNode:
    node = engine.look_inside(position, path)
    assert node is not None
    return node


@pytest.mark.parametrize("game", GAME_NAMES)
def test_visits_of_the_moves_add_up_to_those_of_their_node(game):
    position = Position.start(game)
    engine = searched(position)
    root = look(engine, position)
    assert root.visits == SIMULATIONS
    # The first simulation looked at the root itself.
    assert sum(move.visits for move in root.moves) == root.visits - 1
    assert len(root.moves) + root.num_untried == len(position.legal_moves())
    for move in root.moves:
        if not move.is_expanded:
            continue
        below = look(engine, position, move.move)
        assert below.visits == move.visits
        assert sum(reply.visits for reply in below.moves) == below.visits - 1
        sign = 1 if position.play(move.move).side_to_move == position.side_to_move else -1
        assert below.value == pytest.approx(sign * move.value, abs=1e-6)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_exploration_is_what_a_slow_restatement_of_puct_says(game):
    position = Position.start(game)
    settings = default_search(game).model_copy(update={"c_puct_spread": 0.0})
    engine = searched(position, c_puct_spread=0.0)
    best = look(engine, position).moves[0]
    for node in (look(engine, position), look(engine, position, best.move)):
        c = settings.c_puct + settings.c_puct_growth * math.log(1 + node.visits / settings.c_puct_base)
        for move in node.moves:
            expected = c * move.prior * math.sqrt(node.visits) / (1 + move.visits)
            assert move.exploration == pytest.approx(expected, rel=1e-4)


def test_exploration_follows_the_spread_of_values_alike_for_all_moves():
    """c depends on the node alone: U · (1 + N) / P is the same for every move of it."""
    position = Position.start("chess")
    root = look(searched(position, c_puct_spread=0.5), position)
    factors = [move.exploration * (1 + move.visits) / move.prior for move in root.moves]
    assert factors == pytest.approx([factors[0]] * len(factors), rel=1e-4)


@pytest.mark.parametrize(
    ("rule", "formula"),
    [
        (_core.SelectionRule.UCB1, lambda s, n, v: s.ucb1_exploration * math.sqrt(math.log(n + 1) / v)),
        (_core.SelectionRule.BLEND, lambda s, n, v: math.log(1 + n) / (1 + v)),
    ],
)
def test_other_rules_have_their_own_exploration(rule, formula):
    settings = _core.SearchSettings()
    settings.rule = rule
    tree = _core.connect_four.Searcher(None, playout_plies=50, seed=1, memory_bytes=1 << 22)
    tree.set_settings(settings)
    line = _core.connect_four.Line.start()
    tree.set_line(line)
    tree.search(max_nodes=200, stop_early=False)
    node = tree.look_inside(line, [])
    assert node.visits == 200
    for move in node.moves:
        assert move.exploration == pytest.approx(formula(settings, node.visits, move.visits), rel=1e-4)


def test_a_proven_move_has_its_distance_and_its_exact_value():
    position = Position.from_text("chess", MATE_IN_1)
    best = look(searched(position), position).moves[0]
    assert (best.move, best.value, best.score.mate_in) == ("a1a8", 1.0, 1)


def test_a_position_that_the_search_does_not_stand_at_has_no_tree():
    position = Position.start("chess")
    engine = searched(position)
    assert engine.look_inside(position.play("e2e4")) is None
    assert Engine(Network.uniform("chess")).look_inside(position) is None


def test_a_node_that_no_simulation_has_reached_is_none_and_an_illegal_path_is_refused():
    position = Position.start("chess")
    engine = searched(position, simulations=2)
    assert engine.look_inside(position, ["e2e4", "e7e5", "g1f3", "b8c6"]) is None
    with pytest.raises(IllegalMoveError):
        engine.look_inside(position, ["e2e5"])


def test_a_tree_can_be_looked_at_while_its_search_runs():
    position = Position.start("santorini")
    engine = Engine(Network.uniform("santorini"), threads=2)
    running = engine.start(position, Limits(infinite=True))
    try:
        visits = 0
        while visits < 20_000:
            root = engine.look_inside(position)
            if root is None or not root.moves:
                continue  # the root is being set up
            assert root.visits >= visits
            visits = root.visits
            engine.look_inside(position, [root.moves[0].move])
    finally:
        running.stop()
        running.result()
