"""Nodes of search trees as pages read them. Knows neither searches nor engines."""

from collections.abc import Sequence

from milton.errors import IllegalMoveError, RequestError
from milton.games import Position
from milton.play import TreeNode as FoundNode
from milton.webapi.play_messages import TreeMove, TreeNode
from milton.webapi.positions import side_number


def follow_path(position: Position, path: Sequence[str]) -> tuple[list[str], Position]:
    """The path in core notation and where it leads; RequestError names a move that is not legal."""
    moves = []
    for index, given in enumerate(path):
        try:
            moves.append(position.parse(given))
        except IllegalMoveError as error:
            raise RequestError(str(error), hint="Name legal moves only.", where=f"path.{index}") from error
        position = position.play(moves[-1])
    return moves, position


def tree_node(node: FoundNode, position: Position) -> TreeNode:
    """`position` is the node's own."""
    return TreeNode(
        side_to_move=side_number(position.side_to_move),
        visits=node.visits,
        value=node.value,
        num_untried=node.num_untried,
        moves=[
            TreeMove(
                move=found.move,
                notation=position.written(found.move),
                visits=found.visits,
                prior=found.prior,
                value=found.value,
                exploration=found.exploration,
                mate_in=found.score.mate_in,
                is_expanded=found.is_expanded,
            )
            for found in node.moves
        ],
    )
