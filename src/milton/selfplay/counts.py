"""What finished games come to in figures. Plays nothing and keeps nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from milton.replay import GameBlock


@dataclass(frozen=True, slots=True)
class GameCounts:
    num_games: int
    num_positions: int
    num_distinct: int  # games that differ in their moves
    first_wins: int
    draws: int
    second_wins: int
    end_reasons: dict[str, int]  # those that occurred


def count_games(blocks: Sequence[GameBlock]) -> GameCounts:
    """Of at least one block."""
    winners = np.concatenate([block.winners for block in blocks])
    reasons = Counter(
        block.end_reason_names[index] for block in blocks for index in sorted(block.end_reasons.tolist())
    )
    distinct = {
        block.played_moves[first:end].tobytes()
        for block in blocks
        for first, end in zip(block.game_offsets[:-1], block.game_offsets[1:], strict=True)
    }
    return GameCounts(
        num_games=len(winners),
        num_positions=sum(block.num_positions for block in blocks),
        num_distinct=len(distinct),
        first_wins=int((winners == 0).sum()),
        draws=int((winners < 0).sum()),
        second_wins=int((winners == 1).sum()),
        end_reasons=dict(reasons),
    )
