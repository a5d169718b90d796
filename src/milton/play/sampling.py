"""How a level chooses among the moves that a short search found: seeded, and always among the plausible ones.

Knows no table of levels and no search.
"""

import math
import random
from collections.abc import Sequence

from milton.play.choice import Candidate
from milton.play.limits import Sampling

# Of the improved policy of Gumbel MuZero (Danihelka et al. 2022, equation 8), for values in [−1, 1].
VISIT_OFFSET = 50.0
VALUE_SCALE = 0.05
SMALLEST_PRIOR = 1e-5


def sample_index(candidates: Sequence[Candidate], sampling: Sampling, seed: int) -> int:
    """The index of the move that a level plays; there is at least one. Equal seeds choose alike."""
    logits = improved_logits(candidates)
    best = max(logits)
    if sampling.temperature <= 0.0:
        return logits.index(best)
    weights = [
        math.exp((logit - best) / sampling.temperature)
        if math.exp(logit - best) >= sampling.plausible_share
        else 0.0
        for logit in logits
    ]
    return random.Random(seed).choices(range(len(weights)), weights)[0]


def improved_logits(candidates: Sequence[Candidate]) -> list[float]:
    """ln prior + (50 + most visits) / 20 · value.

    A move without visits is taken for no better than the worst that has some, so that deep searches do not
    stray to what they never saw.
    """
    seen = [candidate.value for candidate in candidates if _is_known(candidate)]
    unseen = min(seen, default=0.0)
    scale = VALUE_SCALE * (VISIT_OFFSET + max(candidate.visits for candidate in candidates))
    return [
        math.log(max(candidate.prior, SMALLEST_PRIOR))
        + scale * (candidate.value if _is_known(candidate) else unseen)
        for candidate in candidates
    ]


def _is_known(candidate: Candidate) -> bool:
    return candidate.visits > 0 or candidate.score.plies_to_end is not None
