"""Search values that look ahead: each position's own, and those of the positions that followed it.

A search of few simulations knows little more than the network it asked, and one game's outcome is mostly
chance. Between them lie the searches of the next moves: TD(λ) weighs them all.
"""

import numpy as np
from numpy.typing import NDArray

from .block import PROBABILITY_SCALE, GameBlock, PositionFlag, has_flag


def lookahead_wdl(block: GameBlock, root_wdl: NDArray[np.uint16], share_of_next: float) -> NDArray[np.uint16]:
    """[P, 2] win and draw for the side to move: own search, and a share of what is said of the next position.

    The shares add up to 1. After a game's last position comes its outcome.
    """
    to_move = has_flag(block.flags, PositionFlag.SECOND_TO_MOVE).astype(np.int8)
    # First player's win and draw, so that positions of both sides can be averaged.
    said = _seen_by(to_move, root_wdl.astype(np.float32) / np.float32(PROBABILITY_SCALE))
    ahead = np.stack([block.winners == 0, block.winners < 0], axis=1).astype(np.float32)  # [G, 2]
    starts = block.game_offsets[:-1].astype(np.int64)
    lengths = block.game_lengths.astype(np.int64)
    # Longest games first: those that have a position so many plies from the end are then a prefix.
    order = np.argsort(-lengths, kind="stable")
    starts, lengths, ahead = starts[order], lengths[order], ahead[order]
    num_with_ply = np.searchsorted(-lengths, -np.arange(1, lengths.max(initial=0) + 1), side="right")
    for plies_from_end, count in enumerate(num_with_ply.tolist(), start=1):
        index = starts[:count] + lengths[:count] - plies_from_end
        ahead[:count] += (1.0 - share_of_next) * (said[index] - ahead[:count])
        said[index] = ahead[:count]
    win, draw = np.round(_seen_by(to_move, said) * PROBABILITY_SCALE).clip(0, PROBABILITY_SCALE).T
    return np.stack([np.minimum(win, PROBABILITY_SCALE - draw), draw], axis=1).astype(np.uint16)


def _seen_by(to_move: NDArray[np.int8], wdl: NDArray[np.float32]) -> NDArray[np.float32]:
    """Win and draw turned to the other player where the second is to move; its own inverse."""
    win, draw = wdl.T
    return np.stack([np.where(to_move == 0, win, 1.0 - win - draw), draw], axis=1)
