"""Seeds that follow from one seed. Sole home of the formula: equal settings give equal games, always."""

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
