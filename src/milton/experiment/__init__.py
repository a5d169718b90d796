"""Learns several arms over several seeds at equal cost and lets their networks meet."""

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
