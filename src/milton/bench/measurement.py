"""One measured figure, and the clock that measures it."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Measurement:
    name: str
    value: float
    unit: str
    how: str  # enough to repeat it

    def as_dict(self) -> dict[str, str | float]:
        return asdict(self)


def best_seconds(work: Callable[[], object], num_repeats: int) -> float:
    """The fastest of several runs: everything that disturbs a run makes it slower."""

    def once() -> float:
        started = time.perf_counter()
        work()
        return time.perf_counter() - started

    return min(once() for _ in range(num_repeats))
