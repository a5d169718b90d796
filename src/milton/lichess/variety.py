"""Openings that differ from game to game, chosen by our own search: no book, no other people's games.

Drawn are moves that the tree visited nearly as often as its favourite, in proportion to the visits. Pure.
"""

import random
from collections.abc import Sequence

from milton.play import Candidate

VARIETY_SIMULATIONS = 400
VARIETY_LOOK_S = 1.0  # on a slow or busy machine
VARIETY_THINK_S = 0.5  # for the score of a move that is already chosen
# Of the favourite's visits; below it a move is worse, not merely different.
_SMALLEST_SHARE = 0.3


def drawn_move(candidates: Sequence[Candidate], seed: str) -> str | None:
    """One of the moves worth playing, the same one for the same seed; None if there is no choice."""
    most = max((candidate.visits for candidate in candidates), default=0)
    good = [candidate for candidate in candidates if candidate.visits >= max(1.0, _SMALLEST_SHARE * most)]
    if len(good) < 2:
        return None
    weights = [candidate.visits for candidate in good]
    return random.Random(seed).choices([candidate.move for candidate in good], weights)[0]
