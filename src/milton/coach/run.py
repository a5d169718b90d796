"""A report becomes part of a run: coach.json, sampling weights, a finished stage. Knows no providers.

Everything is a function of report and shards, so a killed stage is simply repeated.
"""

from pathlib import Path

import numpy as np

from milton.config import CoachSettings
from milton.replay import Window
from milton.rundir import RunDir, StageRecord

from .report import REPORT_NAME, PracticeFigures, WeaknessReport
from .weighing import judge, weigh

STAGE = "coach"
# State of the run: iteration of the report that sets the weights; 0: none.
_IN_FORCE = "coach_iteration"


def report_in_force(run: RunDir) -> WeaknessReport | None:
    """The report whose weights training uses; CoachError if its file is damaged."""
    iteration = int(run.database.state(_IN_FORCE, 0))
    return WeaknessReport.load(run.iteration_dir(iteration) / REPORT_NAME) if iteration else None


def latest_report(run: RunDir, iteration: int | None = None) -> WeaknessReport | None:
    """The newest report, or that of an iteration."""
    path = report_path(run, iteration)
    return None if path is None else WeaknessReport.load(path)


def report_path(run: RunDir, iteration: int | None = None) -> Path | None:
    """Where `latest_report` finds it."""
    with_report = [
        record.iteration for record in run.database.stages() if record.stage == STAGE and record.artifacts
    ]
    wanted = [number for number in with_report if iteration in (None, number)]
    return run.iteration_dir(wanted[-1]) / REPORT_NAME if wanted else None


def weighing_report(stage: StageRecord | None) -> int:
    """The iteration whose report weighed the training after a stage of the coach; 0: none did."""
    return 0 if stage is None else int(stage.result.get("report", 0))


def practice_of(run: RunDir, iteration: int) -> PracticeFigures | None:
    """What the stage of self-play says about games that started from the archive."""
    stage = run.database.stage(iteration, "selfplay")
    figures = None if stage is None else stage.result.get("practice")
    return None if figures is None else PracticeFigures.model_validate(figures)


def put_in_force(
    run: RunDir, window: Window, report: WeaknessReport, settings: CoachSettings, started_s: float
) -> WeaknessReport:
    """Weighs the whole window by a new report and finishes the stage; returns the report with its shares and
    what its iteration practised."""
    report = report.model_copy(update={"practice": practice_of(run, report.iteration)})
    weighed = judge(report, window.columns(), settings)
    window.save_weights(weighed.weights)
    path = run.iteration_dir(report.iteration, create=True) / REPORT_NAME
    weighed.report.save(path)
    run.database.set_state(_IN_FORCE, report.iteration)
    used = weighed.report.used
    weighted = float((weighed.weights > 1.0).mean())
    run.record_stage(
        report.iteration,
        STAGE,
        started_s=started_s,
        artifacts=[path],
        result={
            "report": report.iteration,
            "provider": report.provider,
            "weaknesses": len(report.weaknesses),
            "used": len(used),
            "tokens": report.tokens,
            "problem": report.problem,
        },
        metrics={"coach/weaknesses": float(len(used)), "coach/weighted_share": weighted},
    )
    return weighed.report


def weigh_new_positions(
    window: Window, report: WeaknessReport, num_new: int, settings: CoachSettings
) -> None:
    """Extends the weights of a report in force to the newest positions of the window."""
    columns = window.columns()
    first = max(0, columns.num_positions - num_new)
    weights = columns.weights.copy()
    weights[first:] = weigh(report, columns, first, settings)
    window.save_weights(weights)


def weigh_nothing(run: RunDir, window: Window) -> None:
    """No report is in force; every position has weight 1."""
    window.save_weights(np.ones(window.num_positions, dtype=np.float32))
    run.database.set_state(_IN_FORCE, 0)
