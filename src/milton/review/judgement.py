"""When a move is an inaccuracy, a mistake or a blunder, and how accurate it was. Sole home of the thresholds.

All follow from the expected score lost: the mover's expected score (0 to 1, a draw is half) before the move,
with best play, minus that after it.
"""

import math
from typing import Literal

Judgement = Literal["best", "good", "inaccuracy", "mistake", "blunder"]

# As Lichess has them: 0.1, 0.2 and 0.3 of winning chances, which run from −1 to 1.
INACCURACY = 0.05
MISTAKE = 0.10
BLUNDER = 0.15

# Lichess's fit of a move's accuracy to the percentage lost (lichess.org/page/accuracy).
_ACCURACY_SCALE = 103.1668
_ACCURACY_DECAY = 0.04354
_ACCURACY_OFFSET = -3.1669


def judge(lost: float, *, is_best: bool) -> Judgement:
    """`is_best`: the move is the one that the engine would have played."""
    if is_best:
        return "best"
    if lost >= BLUNDER:
        return "blunder"
    if lost >= MISTAKE:
        return "mistake"
    return "inaccuracy" if lost >= INACCURACY else "good"


def accuracy_of(lost: float) -> float:
    """Of one move, in per cent: 100 if it loses nothing."""
    exact = _ACCURACY_SCALE * math.exp(-_ACCURACY_DECAY * 100.0 * lost) + _ACCURACY_OFFSET
    return max(0.0, min(100.0, exact))
