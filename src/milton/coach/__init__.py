"""Finds weaknesses in games and says which positions deserve more training. Knows no loop, no search."""

from .advice import OFFLINE, ask_coach
from .archive import Archive
from .fingerprint import Condition, Fingerprint, match
from .practice import PracticePlan, renew_archive
from .report import REPORT_NAME, Figures, PracticeFigures, Weakness, WeaknessReport
from .run import (
    STAGE,
    latest_report,
    put_in_force,
    report_in_force,
    report_path,
    weigh_new_positions,
    weigh_nothing,
    weighing_report,
)
from .traits import CATEGORIES, Category, Trait, measure, traits_of
from .weighing import Weighed, judge, weigh

__all__ = [
    "CATEGORIES",
    "OFFLINE",
    "REPORT_NAME",
    "STAGE",
    "Archive",
    "Category",
    "Condition",
    "Figures",
    "Fingerprint",
    "PracticeFigures",
    "PracticePlan",
    "Trait",
    "Weakness",
    "WeaknessReport",
    "Weighed",
    "ask_coach",
    "judge",
    "latest_report",
    "match",
    "measure",
    "put_in_force",
    "renew_archive",
    "report_in_force",
    "report_path",
    "traits_of",
    "weigh",
    "weigh_new_positions",
    "weigh_nothing",
    "weighing_report",
]
