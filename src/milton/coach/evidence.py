"""How much each move of many games lost: the search's value before it against what came of it.

Knows stored games; knows nothing of fingerprints or reports.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.errors import CoachError
from milton.replay import VALUE_SCALE, GameBlock, PositionFlag, has_flag

_NUM_VALUE_BINS = 20
_SCORES = np.array([1.0, 0.0, -1.0], dtype=np.float32)  # of won, drawn, lost


@dataclass(frozen=True, slots=True)
class Evidence:
    """P positions of whole games. Values are seen by the side to move."""

    game: str
    num_games: int
    packed: NDArray[np.uint8]  # [P, packed_bytes]
    is_first: NDArray[np.bool_]  # [P] a game begins here
    games: NDArray[np.int64]  # [P] number of the game
    is_searched: NDArray[np.bool_]  # [P] not part of a random opening
    is_counted: NDArray[np.bool_]  # [P] searched, and the search's own choice was played
    losses: NDArray[np.float32]  # [P] in [0, 2]
    expected: NDArray[np.float32]  # [P] mean loss of counted positions of about the same value


def gather_evidence(blocks: Iterable[GameBlock]) -> Evidence:
    """What the games of some blocks say; CoachError if there are none."""
    found = list(blocks)
    if not found:
        raise CoachError("no games to look at; play some first")
    lengths = np.concatenate([block.game_lengths for block in found]).astype(np.int64)
    is_first = np.zeros(int(lengths.sum()), dtype=bool)
    is_first[np.cumsum(lengths) - lengths] = True
    values = np.concatenate([_values(block) for block in found])
    losses = np.concatenate([_losses(block) for block in found])
    is_counted = np.concatenate([_is_counted(block) for block in found])
    return Evidence(
        game=found[0].game,
        num_games=len(lengths),
        packed=np.concatenate([block.packed for block in found]),
        is_first=is_first,
        games=np.repeat(np.arange(len(lengths)), lengths),
        is_searched=np.concatenate([_is_searched(block) for block in found]),
        is_counted=is_counted,
        losses=losses,
        expected=_expected(values, losses, is_counted),
    )


def _values(block: GameBlock) -> NDArray[np.float32]:
    return (block.root_values_stm / VALUE_SCALE).astype(np.float32)


def _losses(block: GameBlock) -> NDArray[np.float32]:
    """By how much the value before a move exceeds the better of the mover's two next values.

    Both must be lower: a swing that the search after next takes back is no loss. Beyond the end of the game
    the outcome takes the place of the search.
    """
    later = np.maximum(_later_values(block, 1), _later_values(block, 2))
    return np.maximum(0.0, _values(block) - later).astype(np.float32)


def _later_values(block: GameBlock, num_plies: int) -> NDArray[np.float32]:
    """[P] the search's value that many plies later, or the outcome, for the side that moves now."""
    num_positions = block.num_positions
    target = np.minimum(np.arange(num_positions) + num_plies, num_positions - 1)
    sides = has_flag(block.flags, PositionFlag.SECOND_TO_MOVE)
    turned = np.where(sides[target] == sides, 1.0, -1.0)
    is_over = block.plies_left() <= num_plies
    outcome = _SCORES[block.outcomes_stm()]
    return np.where(is_over, outcome, turned * _values(block)[target]).astype(np.float32)


def _is_searched(block: GameBlock) -> NDArray[np.bool_]:
    return ~has_flag(block.flags, PositionFlag.RANDOM_OPENING)


def _is_counted(block: GameBlock) -> NDArray[np.bool_]:
    """Where the loss is the search's own: what noise or temperature played says nothing about its judgement.

    Where no visits were kept at all, every searched position counts.
    """
    is_searched = _is_searched(block)
    if block.num_visits == 0:
        return is_searched
    lengths: NDArray[np.uint32] = np.diff(block.visit_offsets)
    has_visits = lengths > 0
    most = np.zeros(block.num_positions, dtype=np.uint16)
    most[has_visits] = np.maximum.reduceat(block.visit_counts, block.visit_offsets[:-1][has_visits])
    owners = np.repeat(np.arange(block.num_positions), lengths)
    is_played = block.visit_moves == block.played_moves[owners]
    of_played = np.zeros(block.num_positions, dtype=np.uint16)
    of_played[owners[is_played]] = block.visit_counts[is_played]
    counted: NDArray[np.bool_] = is_searched & has_visits & (of_played == most)
    return counted


def _expected(
    values: NDArray[np.float32], losses: NDArray[np.float32], is_counted: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """A player with a good position has more to lose: the baseline is what positions of equal value lose."""
    bins = np.clip(((values + 1.0) / 2.0 * _NUM_VALUE_BINS).astype(np.int64), 0, _NUM_VALUE_BINS - 1)
    counts = np.bincount(bins[is_counted], minlength=_NUM_VALUE_BINS)
    sums = np.bincount(bins[is_counted], weights=losses[is_counted], minlength=_NUM_VALUE_BINS)
    return (sums / np.maximum(counts, 1))[bins].astype(np.float32)
