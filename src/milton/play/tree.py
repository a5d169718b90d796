"""Inside a search tree: N, P, Q and U of the moves at one node, as frozen values. Knows no search."""

from dataclasses import dataclass

from milton import _core
from milton.play.score import Score, proven_wdl, score_of


@dataclass(frozen=True, slots=True)
class TreeMove:
    """One move that was tried, seen by the side to move at its node."""

    move: str
    visits: int  # N
    prior: float  # P
    value: float  # Q: the mean of what its simulations found, or what is proven
    exploration: float  # U: what the selection rule adds to Q
    score: Score
    is_expanded: bool  # the moves after it can be looked at


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node of the tree; the moves that were tried come best first."""

    visits: int
    value: float  # seen by the side to move here
    num_untried: int  # legal moves that no simulation has gone to
    moves: tuple[TreeMove, ...]


def read_node(node: _core.TreeNode) -> TreeNode:
    return TreeNode(
        visits=node.visits,
        value=_value_of(node.value, node.proof),
        num_untried=node.num_untried,
        moves=tuple(_read_move(move) for move in node.moves),
    )


def _read_move(move: _core.TreeMove) -> TreeMove:
    return TreeMove(
        move=move.text,
        visits=move.visits,
        prior=move.prior,
        value=_value_of(move.value, move.proof),
        exploration=move.exploration,
        score=score_of(move.value, move.proof, move.proof_plies),
        is_expanded=move.is_expanded,
    )


def _value_of(mean: float, proof: str) -> float:
    proven = proven_wdl(proof)
    return mean if proven is None else proven.value
