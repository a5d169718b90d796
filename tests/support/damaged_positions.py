"""Packed positions with some bits changed: a game refuses them or gives exactly them back."""

import random
from collections.abc import Iterable

import pytest

from milton.errors import NotationError
from milton.games.core_types import CoreLine, CoreLineClass


def check_damaged_positions(line_class: CoreLineClass, lines: Iterable[CoreLine], packed_bytes: int) -> None:
    rng = random.Random(6)
    num_refused = 0
    for line in lines:
        damaged = bytearray(line.pack())
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        try:
            again = line_class.unpack(bytes(damaged))
        except NotationError:
            num_refused += 1
            continue
        assert again.pack() == bytes(damaged)
        assert line_class.from_text(again.text()).hash == again.hash
    assert num_refused > 1000
    sizes = (packed_bytes - 1, packed_bytes, packed_bytes + 1)
    for noise in (b"\xff" * packed_bytes, b"", *map(bytes, sizes)):
        with pytest.raises(NotationError):
            line_class.unpack(noise)
