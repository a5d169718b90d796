"""The tree against a slow restatement in Python: the same moves get the same visits under every rule."""

import math

import numpy as np
import pytest

from milton import _core
from milton.bench.networks import fixed_sparse_net
from milton.games import Position, core_game

VALUE_SCALE = 1 << 24  # the core sums values as whole numbers
PRIOR_SCALE = 65535
NUM_SIMULATIONS = 300
LOST = -1e6


class Node:
    """`mover` is who moved here (at the root: who is to move); values are seen by it."""

    def __init__(self, mover: str) -> None:
        self.mover = mover
        self.visits, self.value_sum, self.square_sum, self.raw_value = 0, 0, 0, 0.0
        self.end: float | None = None  # the result if the game is over here
        self.edges: list[Edge] | None = None

    def mean(self) -> float:
        return self.value_sum / VALUE_SCALE / self.visits

    def spread(self, usual: float) -> float:
        """Standard deviation of the values, two more of the usual size added."""
        deviations = max(self.square_sum / VALUE_SCALE - self.mean() ** 2 * self.visits, 0.0)
        return math.sqrt((deviations + 2 * usual**2) / (self.visits + 2))


class Edge:
    def __init__(self, move: str, prior: float) -> None:
        self.move, self.prior = move, int(prior * PRIOR_SCALE + 0.5) / PRIOR_SCALE
        self.child: Node | None = None


def bring_best_forward(edges: list[Edge], start: int) -> None:
    """Untried moves wait in the order of their priors."""
    if start < len(edges):
        best = max(range(start, len(edges)), key=lambda i: (edges[i].prior, -i))
        edges[start], edges[best] = edges[best], edges[start]


class SlowSearch:
    def __init__(self, position: Position, net: _core.SparseNet, settings: _core.SearchSettings) -> None:
        self.root_position, self.net, self.settings = position, net, settings
        self.root = Node(position.side_to_move)

    def evaluate(self, position: Position) -> tuple[float, list[Edge]]:
        packed = np.frombuffer(position.pack(), np.uint8)[None]
        wdl = np.empty((1, 3), np.float32)
        policy = np.empty((1, position.spec.max_moves), np.float32)
        core_game(position.game).evaluate_sparse(self.net, packed, wdl, policy)
        edges = [Edge(move, p) for move, p in zip(position.legal_moves(), policy[0].tolist(), strict=False)]
        bring_best_forward(edges, 0)
        return float(wdl[0, 0] - wdl[0, 2]), edges

    def simulate(self) -> None:
        node, position, path = self.root, self.root_position, [self.root]
        while node.edges is not None and node.end is None:
            own = node.mean() * (1 if node.mover == position.side_to_move else -1)
            index = self.choose(node, own)
            edge = node.edges[index]
            if edge.child is None:
                edge.child = Node(position.side_to_move)
                if node is not self.root:
                    bring_best_forward(node.edges, index + 1)
            position, node = position.play(edge.move), edge.child
            path.append(node)
        outcome = position.outcome(claim_draws=True)
        if outcome is not None:
            node.end = outcome.value(node.mover)
            value = outcome.value(position.side_to_move)
        else:
            value, node.edges = self.evaluate(position)
        for step in path:
            seen = value if step.mover == position.side_to_move else -value
            step.visits += 1
            step.value_sum += round(seen * VALUE_SCALE)
            step.square_sum += round(seen**2 * VALUE_SCALE)
        node.raw_value = value if node.mover == position.side_to_move else -value

    def choose(self, node: Node, own: float) -> int:
        rule = self.settings.rule
        tried = [i for i, edge in enumerate(node.edges) if edge.child is not None]
        untried = [i for i, edge in enumerate(node.edges) if edge.child is None]
        for index in tried:
            if rule == _core.SelectionRule.UCB1 and untried and untried[0] < index:
                break
            if node.edges[index].child.end == 1:
                return index
        if rule == _core.SelectionRule.UCB1 and untried:
            return untried[0]
        score = {
            _core.SelectionRule.PUCT: self.puct,
            _core.SelectionRule.UCB1: self.ucb1,
            _core.SelectionRule.BLEND: self.blend,
        }[rule]
        scores = [score(node, edge, own) for edge in node.edges]
        # Whatever was tried wins ties under PUCT, whatever comes first under the other rules.
        order = tried + untried if rule == _core.SelectionRule.PUCT else range(len(scores))
        return max(order, key=lambda i: scores[i])

    def puct(self, node: Node, edge: Edge, own: float) -> float:
        unit = self.settings.c_puct_spread_unit
        follow = 1 + self.settings.c_puct_spread * (node.spread(unit) / unit - 1)
        explore = self.settings.c_puct * follow * math.sqrt(node.visits) * edge.prior
        if edge.child is not None:
            value = LOST if edge.child.end == -1 else edge.child.mean()
            return value + explore / (1 + edge.child.visits)
        tried_prior = sum(other.prior for other in node.edges if other.child is not None)
        is_root = node is self.root
        reduction = self.settings.fpu_reduction_noisy_root if is_root else self.settings.fpu_reduction
        return own - reduction * math.sqrt(tried_prior) + explore

    def ucb1(self, node: Node, edge: Edge, own: float) -> float:
        value = LOST if edge.child.end == -1 else edge.child.mean()
        spread = math.sqrt(math.log(node.visits + 1) / edge.child.visits)
        return value + self.settings.ucb1_exploration * spread

    def blend(self, node: Node, edge: Edge, own: float) -> float:
        """(1 − e) × prediction + e × win probability + log(1 + N) / (1 + n)."""
        e = self.settings.blend_exploration
        prediction, mean, visits = own, own, 0
        if edge.child is not None:
            visits, mean = edge.child.visits, edge.child.mean()
            prediction = LOST if edge.child.end == -1 else edge.child.raw_value
        return (1 - e) * prediction + e * (1 + mean) / 2 + math.log1p(node.visits) / (1 + visits)


def settings_of(rule: str) -> _core.SearchSettings:
    """`PUCT by spread` is PUCT whose constant follows the spread of values."""
    settings = _core.SearchSettings()
    settings.rule = getattr(_core.SelectionRule, rule.split()[0])
    if "spread" in rule:
        settings.c_puct_spread, settings.c_puct_spread_unit = 0.9, 0.25
    settings.propagate_proofs = False
    settings.noisy_root, settings.fpu_reduction_noisy_root = True, 0.1
    settings.blend_exploration = 0.3
    return settings


@pytest.mark.parametrize("rule", ["PUCT", "PUCT by spread", "UCB1", "BLEND"])
@pytest.mark.parametrize("opening", [("connect_four", 0), ("connect_four", 12), ("santorini", 1)])
def test_visits_are_those_of_the_restatement(rule: str, opening: tuple[str, int]) -> None:
    game, num_plies = opening
    position = Position.start(game)
    for _ in range(num_plies):  # Santorini: between two placements of one player
        position = position.play(position.legal_moves()[-2])
    settings, net = settings_of(rule), fixed_sparse_net(game, 32)

    searcher = core_game(game).Searcher(net, memory_bytes=16 << 20)
    searcher.set_settings(settings)
    searcher.set_line(position.line)
    report = searcher.search(max_nodes=NUM_SIMULATIONS, stop_early=False)

    slow = SlowSearch(position, net, settings)
    for _ in range(NUM_SIMULATIONS):
        slow.simulate()
    counted = {searcher.move_text(move.bits): move.visits for move in report.moves}
    expected = {edge.move: edge.child.visits if edge.child else 0 for edge in slow.root.edges}
    assert counted == expected
    assert report.value == pytest.approx(slow.root.mean(), abs=1e-6)
