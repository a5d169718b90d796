"""How many positions the window holds: by iterations, by positions, or by a power law of all played."""

from dataclasses import dataclass

from milton.config import TrainSettings


@dataclass(frozen=True, slots=True)
class WindowSize:
    """How much the window holds; exactly one way is in use, the others are 0."""

    iterations: int = 0
    positions: int = 0
    fraction: float = 0.0
    exponent: float = 1.0
    smallest: int = 1
    largest: int = 1

    @classmethod
    def of(cls, train: TrainSettings) -> "WindowSize":
        return cls(
            iterations=train.buffer_iterations,
            positions=train.buffer_positions,
            fraction=train.window_fraction,
            exponent=train.window_exponent,
            smallest=train.window_min,
            largest=train.window_max,
        )

    def target(self, num_positions_ever: int) -> int | None:
        """Positions wanted when this many have been played; None if iterations decide."""
        if self.iterations:
            return None
        if self.positions:
            return self.positions
        wanted = self.fraction * self.smallest * (num_positions_ever / self.smallest) ** self.exponent
        return int(min(max(wanted, self.smallest), self.largest))
