"""Search values that look ahead say what later searches and the end of the game say, for the side to move."""

import numpy as np
import pytest
from game_blocks import synthetic_block

from milton.replay import PROBABILITY_SCALE, GameBlock, PositionFlag, has_flag
from milton.replay.returns import lookahead_wdl


def one_by_one(block: GameBlock, share: float) -> np.ndarray:
    """The definition, a position at a time: [P, 3] win, draw, loss for the side to move."""
    assert block.root_wdl is not None
    second = has_flag(block.flags, PositionFlag.SECOND_TO_MOVE)
    out = np.zeros((block.num_positions, 3))
    for game in range(block.num_games):
        winner = block.winners[game]
        ahead = np.array([winner == 0, winner < 0, winner == 1], dtype=float)  # the first player's
        for index in reversed(range(block.game_offsets[game], block.game_offsets[game + 1])):
            win, draw = block.root_wdl[index] / PROBABILITY_SCALE
            own = np.array([win, draw, 1 - win - draw])
            own = own[::-1] if second[index] else own
            ahead = (1 - share) * own + share * ahead
            out[index] = ahead[::-1] if second[index] else ahead
    return out


@pytest.mark.parametrize("share", [0.3, 0.98])
def test_it_is_the_definition(share: float) -> None:
    block = synthetic_block(40, seed=3)
    assert block.root_wdl is not None
    wdl = lookahead_wdl(block, block.root_wdl, share)
    assert wdl.dtype == np.uint16
    assert wdl.flags.c_contiguous
    assert (wdl.sum(axis=1, dtype=np.int64) <= PROBABILITY_SCALE).all()
    expected = one_by_one(block, share)
    assert np.abs(wdl / PROBABILITY_SCALE - expected[:, :2]).max() < 1e-4


def test_no_share_is_the_position_s_own_search() -> None:
    block = synthetic_block(10, seed=4)
    assert block.root_wdl is not None
    changed = lookahead_wdl(block, block.root_wdl, 0.0).astype(int) - block.root_wdl
    assert np.abs(changed).max() <= 1


def test_nearly_all_of_the_next_is_the_outcome() -> None:
    block = synthetic_block(10, seed=5)
    assert block.root_wdl is not None
    wdl = lookahead_wdl(block, block.root_wdl, 1.0 - 1e-7) / PROBABILITY_SCALE
    outcomes = block.outcomes_stm()
    assert np.allclose(wdl[:, 0], outcomes == 0, atol=1e-3)
    assert np.allclose(wdl[:, 1], outcomes == 1, atol=1e-3)
