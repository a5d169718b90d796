"""The first search of a fresh UCI engine next to its second: memory and code should be warm already."""

import sys
from collections.abc import Iterator
from statistics import median

from milton.bench.measurement import Measurement
from milton.rating.uci_process import PATIENCE_S, UciProcess

_POSITIONS = ("position startpos", "position startpos moves e2e4")


def measure_first_search(quick: bool) -> Iterator[Measurement]:
    num_engines, movetime_ms = (2, 50) if quick else (6, 300)
    first: list[int] = []
    second: list[int] = []
    for number in range(num_engines):
        engine = UciProcess("milton", [sys.executable, "-m", "milton.cli", "uci"])
        try:
            # Positions change places, because they differ in difficulty.
            for position, found in zip(_POSITIONS[:: 1 - 2 * (number % 2)], (first, second), strict=True):
                engine.begin_game()
                found.append(engine.think(position, f"go movetime {movetime_ms}", PATIENCE_S).nodes or 0)
        finally:
            engine.close()
    how = f"go movetime {movetime_ms}, median of {num_engines} engines, one after the other"
    yield Measurement("first search of an engine", median(first), "nodes", how)
    yield Measurement("second search of an engine", median(second), "nodes", how)
