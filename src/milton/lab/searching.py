"""A move by the core's search, for methods that search. Knows no method."""

from milton.games import Position
from milton.play.tree import Tree

# A tree of some thousand simulations; every player of a tournament keeps one in every process.
TREE_BYTES = 32 << 20


def best_move(tree: Tree, position: Position, simulations: int) -> str:
    """What the search likes best; kept subtrees are used, as everywhere."""
    tree.set_line(position.line)
    report = tree.search(max_simulations=simulations)
    return tree.move_text(report.moves[0].bits)
