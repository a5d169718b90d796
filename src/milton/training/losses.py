"""What training measures. Knows no network."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from milton.errors import TrainingError


@dataclass(frozen=True, slots=True)
class Losses:
    """Means over positions; entropies in nats. Policy figures count positions that have a target."""

    value_loss: float
    policy_loss: float
    target_entropy: float  # of the visit distributions: the floor of the policy loss
    policy_entropy: float
    policy_agreement: float  # share of positions where network and search prefer the same move
    value_bias: float  # mean predicted value - mean target, -2..2
    value_error: float  # mean squared error of the value, for comparison with scalar heads
    num_values: float = 0.0
    num_policies: float = 0.0

    @classmethod
    def of(cls, figures: Mapping[str, float]) -> "Losses":
        return cls(**{name: float(figures[name]) for name in (field.name for field in fields(cls))})

    def as_metrics(self, prefix: str) -> dict[str, float]:
        """Figures by name; those without a position behind them are left out."""
        names = [
            *(_VALUE_FIGURES if self.num_values > 0 else ()),
            *(_POLICY_FIGURES if self.num_policies > 0 else ()),
        ]
        return {f"{prefix}/{name}": float(getattr(self, name)) for name in names}

    def check_finite(self, step: int) -> None:
        if not (math.isfinite(self.value_loss) and math.isfinite(self.policy_loss)):
            raise TrainingError(
                f"the loss is not a number at step {step} (value {self.value_loss!r}, policy "
                f"{self.policy_loss!r}); lower train.learning_rate"
            )


def mean_losses(parts: Iterable[Losses]) -> Losses:
    """The means of several batches, each weighted by the positions behind it."""
    items = list(parts)
    if not items:
        return Losses(*([0.0] * 7))
    num_values = sum(part.num_values for part in items)
    num_policies = sum(part.num_policies for part in items)

    def mean(name: str, weight_name: str, total: float) -> float:
        weighted = (float(getattr(part, name)) * float(getattr(part, weight_name)) for part in items)
        return sum(weighted) / max(total, 1.0)

    by_value = {name: mean(name, "num_values", num_values) for name in _VALUE_FIGURES}
    by_policy = {name: mean(name, "num_policies", num_policies) for name in _POLICY_FIGURES}
    return Losses(**by_value, **by_policy, num_values=num_values, num_policies=num_policies)


_VALUE_FIGURES = ("value_loss", "value_bias", "value_error")
_POLICY_FIGURES = ("policy_loss", "target_entropy", "policy_entropy", "policy_agreement")
