"""Seeds derived from one seed. Sole home of the two formulas: equal settings give equal games, always."""

import hashlib

_FIRST_STRIDE = 1_000_003
_NEXT_STRIDE = 1_009
_SEED_BITS = 63  # the core takes 64, signed or not


def derive_seed(seed: int, index: int, *more: int) -> int:
    """The seed of the `index`-th of something (an iteration, an opening), and of parts of it.

    >>> derive_seed(2, 5)
    2000011
    """
    found = seed * _FIRST_STRIDE + index
    for part in more:
        found = found * _NEXT_STRIDE + part
    return found % (1 << _SEED_BITS)


def unrelated_seed(seed: int, *parts: object) -> int:
    """A seed for games that must not be played twice, whatever other seeds are near: of a start, of a worker.

    >>> unrelated_seed(2, "worker", 5)
    5113057486820928606
    """
    text = " ".join(map(str, (seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> (64 - _SEED_BITS)
