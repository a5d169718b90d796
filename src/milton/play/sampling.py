"""How a level chooses among the moves that a short search found: seeded, and always among the plausible ones.

Knows no table of levels and no search. web/src/wasm/sampling.ts repeats it with these numbers; tests/wasm
compares the two.
"""

import math
from collections.abc import Sequence

from milton.play.choice import Candidate
from milton.play.limits import Sampling

# Of the improved policy of Gumbel MuZero (Danihelka et al. 2022, equation 8), for values in [−1, 1].
VISIT_OFFSET = 50.0
VALUE_SCALE = 0.05
SMALLEST_PRIOR = 1e-5

_WORD = (1 << 64) - 1


def sample_index(candidates: Sequence[Candidate], sampling: Sampling, seed: int) -> int:
    """The index of the move that a level plays; there is at least one. Equal seeds choose the same move."""
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
    mark = uniform(seed) * sum(weights)
    for index, weight in enumerate(weights):
        mark -= weight
        if mark < 0.0:
            return index
    return logits.index(best)  # rounding has left nothing


def uniform(seed: int) -> float:
    """In [0, 1): one step of SplitMix64 (Steele et al. 2014), which JavaScript can repeat to the bit.

    >>> uniform(0)
    0.8833108082136426
    """
    z = (seed + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return ((z ^ (z >> 31)) >> 11) / (1 << 53)


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
