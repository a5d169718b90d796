"""What comparing an ONNX file with its checkpoint found. A value; imports no framework."""

from dataclasses import dataclass

TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Verification:
    """The largest absolute difference of each output over all positions."""

    num_positions: int
    max_difference: dict[str, float]
    tolerance: float = TOLERANCE

    @property
    def agrees(self) -> bool:
        return all(difference <= self.tolerance for difference in self.max_difference.values())
