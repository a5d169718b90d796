"""From a report to sampling weights of the window's positions: 1 + severities, capped. Knows no files."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.config import CoachSettings
from milton.replay import WindowColumns

from .fingerprint import match
from .report import Weakness, WeaknessReport


@dataclass(frozen=True, slots=True)
class Weighed:
    report: WeaknessReport  # with the share of each weakness, and why some are ignored
    weights: NDArray[np.float32]  # [P]


def judge(report: WeaknessReport, columns: WindowColumns, settings: CoachSettings) -> Weighed:
    """Weights of a whole window. Fingerprints that fit hardly any or most of its positions are ignored."""
    weaknesses = sorted(report.weaknesses, key=lambda weakness: -weakness.severity)
    matches = match([w.fingerprint for w in weaknesses], columns.packed, _is_first(columns))
    judged = []
    for rank, (weakness, share) in enumerate(zip(weaknesses, matches.mean(axis=0).tolist(), strict=True)):
        why = _why_useless(share, settings)
        if not why and rank >= settings.max_weaknesses:
            why = f"beyond the {settings.max_weaknesses} most severe"
        judged.append(weakness.model_copy(update={"share": share, "ignored": why}))
    is_used = np.array([not weakness.ignored for weakness in judged], dtype=bool)
    weights = _weights(matches[:, is_used], [w for w in judged if not w.ignored], settings)
    return Weighed(report.model_copy(update={"weaknesses": tuple(judged)}), weights)


def weigh(
    report: WeaknessReport, columns: WindowColumns, first: int, settings: CoachSettings
) -> NDArray[np.float32]:
    """Weights of the positions from `first` on, which begins a game, by a report that was judged before."""
    part = slice(first, None)
    matches = match([w.fingerprint for w in report.used], columns.packed[part], _is_first(columns)[part])
    return _weights(matches, list(report.used), settings)


def _weights(
    matches: NDArray[np.bool_], weaknesses: list[Weakness], settings: CoachSettings
) -> NDArray[np.float32]:
    severities = np.array([weakness.severity for weakness in weaknesses], dtype=np.float32)
    summed: NDArray[np.float32] = 1.0 + matches.astype(np.float32) @ severities
    return np.minimum(summed, np.float32(settings.max_weight)).astype(np.float32)


def _is_first(columns: WindowColumns) -> NDArray[np.bool_]:
    """Where games begin: after the last position of the one before."""
    return np.concatenate([[True], columns.plies_left[:-1] == 1])


def practised(report: WeaknessReport, settings: CoachSettings) -> tuple[Weakness, ...]:
    """The weaknesses of a judged report whose positions are worth practising, weighted or not."""
    fitting = [w for w in report.weaknesses if w.share is not None and not _misfit(w.share, settings)]
    most_severe = sorted(fitting, key=lambda weakness: -weakness.severity)[: settings.max_weaknesses]
    return tuple(weakness for weakness in most_severe if weakness.severity > 0.0)


def _why_useless(share: float, settings: CoachSettings) -> str:
    if settings.max_weight == 1.0:
        return "only reported: coach.max_weight is 1"
    return _misfit(share, settings)


def _misfit(share: float, settings: CoachSettings) -> str:
    if share < settings.min_match:
        return f"fits {share:.3%} of the window, less than {settings.min_match:.1%}"
    if share > settings.max_match:
        return f"fits {share:.0%} of the window, more than {settings.max_match:.0%}"
    return ""
