"""Trains several arms with several seeds at equal cost and plays matches between their networks."""

from .conduct import Experiment, Progress
from .learning import processor_seconds
from .plan import Arm, Matches, Plan, read_plan
from .report import markdown

__all__ = [
    "Arm",
    "Experiment",
    "Matches",
    "Plan",
    "Progress",
    "markdown",
    "processor_seconds",
    "read_plan",
]
