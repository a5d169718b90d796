"""What is worth practising: the games of an iteration change the archive that the next ones start from.

A pure function of archive, games and report, so a stage that was killed gives the same archive again.
Targeted search control in AlphaZero (Trudeau and Bowling 2023) draws starts of games from an archive; here
they may also be chosen by regret or by the coach's fingerprints. docs/experiments has what each gave.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.config import CoachSettings, SelfPlaySettings, unrelated_seed
from milton.replay import GameBlock, PositionFlag, has_flag

from .archive import Archive
from .evidence import Evidence, gather_evidence
from .fingerprint import match as match_fingerprints
from .report import PracticeFigures, WeaknessReport
from .weighing import practised

# A fall of the value, in [0, 2], from which on a position is worth practising; below it, it is learnt.
_MIN_SWING = 0.2
# Part of the archive that the games of one iteration may fill: the rest is of earlier ones.
_NEW_SHARE = 0.25
# What an older measurement is worth an iteration later, where there are more positions than there is room.
_DECAY = 0.9


@dataclass(frozen=True, slots=True)
class PracticePlan:
    """What else decides about the archive of an iteration."""

    iteration: int
    seed: int  # of the run
    selfplay: SelfPlaySettings
    coach: CoachSettings
    report: WeaknessReport | None  # the newest one; only fingerprints need it


def renew_archive(
    archive: Archive, blocks: list[GameBlock], plan: PracticePlan
) -> tuple[Archive, PracticeFigures]:
    """The archive after the games of an iteration, and what those that started from it say."""
    source = plan.selfplay.practice_from
    report = plan.report.iteration if plan.report is not None and source == "fingerprints" else 0
    evidence = gather_evidence(blocks)
    is_practised = np.concatenate([has_flag(block.flags, PositionFlag.PRACTISED) for block in blocks])
    judged = _judge(archive, evidence, np.flatnonzero(is_practised & evidence.is_counted), plan)
    is_current = (archive.source, archive.report) == (source, report)
    # Positions chosen for reasons that no longer hold are reported and dropped.
    kept = (
        judged.archive.select(~judged.is_learnt)
        if is_current
        else Archive.empty(archive.game, source, report)
    )
    known = {row.tobytes() for row in archive.packed} if is_current else set()
    new = _choose(kept, known, evidence, plan)
    renewed = _within_bounds(kept.joined(new), plan)
    return renewed, PracticeFigures(
        source=source,
        num_positions=renewed.num_positions,
        num_added=new.num_positions,
        num_games=int(is_practised.sum()),
        num_judged=int(judged.is_judged.sum()),
        num_learnt=int(judged.is_learnt.sum()),
        swing_before=_mean(archive.swings[judged.is_judged]),
        swing_now=_mean(judged.archive.swings[judged.is_judged]),
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    archive: Archive  # with what was measured again
    is_judged: NDArray[np.bool_]
    is_learnt: NDArray[np.bool_]


def _judge(archive: Archive, evidence: Evidence, rows: NDArray[np.int64], plan: PracticePlan) -> _Judged:
    """Measures again what was played again: `rows` of the evidence are starts of games from the archive."""
    places = {row.tobytes(): place for place, row in enumerate(archive.packed)}
    found = [(places.get(evidence.packed[row].tobytes(), -1), row) for row in rows.tolist()]
    played = [(place, row) for place, row in found if place >= 0]  # the others were archived longer ago
    where = np.array([place for place, _ in played], dtype=np.int64)
    losses = evidence.losses[np.array([row for _, row in played], dtype=np.int64)]
    counts = np.bincount(where, minlength=archive.num_positions)
    sums = np.bincount(where, weights=losses, minlength=archive.num_positions)
    is_judged = counts > 0
    swings = np.where(is_judged, sums / np.maximum(counts, 1), archive.swings).astype(np.float32)
    measured = Archive(
        archive.game,
        archive.source,
        archive.report,
        archive.packed,
        np.where(is_judged, swings, archive.weights) if archive.source == "regret" else archive.weights,
        swings,
        np.where(is_judged, plan.iteration, archive.iterations),
    )
    forgets = archive.source != "uniform"
    return _Judged(measured, is_judged, is_judged & (swings < _MIN_SWING) & forgets)


def _choose(kept: Archive, known: set[bytes], evidence: Evidence, plan: PracticePlan) -> Archive:
    """New positions, drawn by weight without replacement; none that the archive had."""
    weights = _weights(evidence, plan)
    rows = np.flatnonzero(weights > 0.0)
    random = np.random.default_rng(unrelated_seed(plan.seed, "practice", plan.iteration))
    # The smallest of exponential variables with these rates is each of them in proportion to its rate.
    order = rows[np.argsort(random.exponential(size=len(rows)) / weights[rows], kind="stable")]
    room = max(1, int(_NEW_SHARE * plan.selfplay.practice_positions))
    chosen: dict[bytes, int] = {}
    for row in order.tolist():
        if len(chosen) == room:
            break
        key = evidence.packed[row].tobytes()
        if key not in known:
            chosen.setdefault(key, row)
    taken = np.array(list(chosen.values()), dtype=np.int64)
    return Archive(
        kept.game,
        kept.source,
        kept.report,
        evidence.packed[taken],
        weights[taken],
        evidence.losses[taken],
        np.full(len(taken), plan.iteration, dtype=np.int64),
    )


def _weights(evidence: Evidence, plan: PracticePlan) -> NDArray[np.float32]:
    """[P] how much each position is worth practising; 0: not at all."""
    match plan.selfplay.practice_from:
        case "regret":
            is_worth = evidence.is_counted & (evidence.losses >= _MIN_SWING)
            return np.where(is_worth, evidence.losses, 0.0).astype(np.float32)
        case "fingerprints":
            return np.where(evidence.is_searched, _severities(evidence, plan), 0.0).astype(np.float32)
        case _:
            return evidence.is_searched.astype(np.float32)


def _severities(evidence: Evidence, plan: PracticePlan) -> NDArray[np.float32]:
    """[P] sum of the severities of all weaknesses that a position shows."""
    weaknesses = () if plan.report is None else practised(plan.report, plan.coach)
    severities = np.array([weakness.severity for weakness in weaknesses], dtype=np.float32)
    found = match_fingerprints([w.fingerprint for w in weaknesses], evidence.packed, evidence.is_first)
    summed: NDArray[np.float32] = found.astype(np.float32) @ severities
    return summed


def _within_bounds(archive: Archive, plan: PracticePlan) -> Archive:
    """The positions that are worth most; of equal ones those that came first."""
    room = plan.selfplay.practice_positions
    if archive.num_positions <= room:
        return archive
    worth = archive.weights * _DECAY ** (plan.iteration - archive.iterations)
    return archive.select(np.sort(np.argsort(-worth, kind="stable")[:room]))


def _mean(values: NDArray[np.float32]) -> float:
    return float(values.mean()) if len(values) else 0.0
