"""How long the stages of a run took, by the clock."""

from collections.abc import Iterable

from milton.rundir import RunDir, StageRecord


def stage_seconds(stages: Iterable[StageRecord]) -> dict[str, float]:
    """By the stage's name in run.sqlite, in the order of their first rows."""
    spent: dict[str, float] = {}
    for record in stages:
        spent[record.stage] = spent.get(record.stage, 0.0) + record.finished_s - record.started_s
    return spent


def selfplay_share(run: RunDir) -> float:
    """Share of the time of finished stages that went into self-play."""
    spent = stage_seconds(run.database.stages())
    return spent.get("selfplay", 0.0) / max(1e-9, sum(spent.values()))
