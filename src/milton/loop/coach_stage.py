"""The stage of the coach: newest games -> report -> sampling weights. Whatever goes wrong with a report, the
iteration continues without weights and says why."""

import threading
import time

from milton.coach import (
    WeaknessReport,
    ask_coach,
    put_in_force,
    report_in_force,
    weigh_new_positions,
    weigh_nothing,
)
from milton.errors import CoachError
from milton.replay import ShardReader

from .context import Context
from .window_update import update_window

_POLL_S = 0.1


def coach_stage(context: Context, iteration: int) -> None:
    """A new report every `coach.every` iterations; in between, the last one weights the new positions."""
    settings, run = context.settings.coach, context.run
    started_s = time.time()
    context.begin(iteration, "coach", 0, "")
    change = update_window(context, iteration)
    if settings.enabled and iteration % settings.every == 0:
        report = put_in_force(run, context.window, _ask(context, iteration), settings, started_s)
        _report(context, iteration, report)
        return
    report_used = _known_report(context, iteration) if settings.enabled else None
    if report_used is None:
        weigh_nothing(run, context.window)
    else:
        weigh_new_positions(context.window, report_used, change.num_added, settings)
    used = 0 if report_used is None else report_used.iteration
    run.record_stage(iteration, "coach", started_s=started_s, result={"report": used})


def _ask(context: Context, iteration: int) -> WeaknessReport:
    """Asks in a thread: a language model may take minutes, and the user may want to stop meanwhile."""
    settings = context.settings.coach
    blocks = list(ShardReader(context.run.shard_path(iteration)).blocks())
    answers: list[WeaknessReport] = []
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(ask_coach(blocks, settings, iteration))
        except BaseException as error:  # noqa: BLE001 -- raised again below, in the loop's own thread
            failures.append(error)

    worker = threading.Thread(target=ask, name="coach", daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(_POLL_S)
        context.progress(0, f"asking {settings.provider}")
    if failures:
        raise failures[0]
    return answers[0]


def _known_report(context: Context, iteration: int) -> WeaknessReport | None:
    try:
        return report_in_force(context.run)
    except CoachError as error:
        context.event(iteration, "warning", "coach", str(error), "continuing without weights")
        return None


def _report(context: Context, iteration: int, report: WeaknessReport) -> None:
    if report.problem:
        context.event(iteration, "warning", "coach", report.problem, "continuing without weights")
    worst = f", first {report.used[0].fingerprint}" if report.used else ""
    if report.used:  # for the page; the line below is for the terminal
        first = f"{report.used[0].category}: {report.used[0].description}"
        message = f"{report.provider}: {len(report.used)} weaknesses in use{worst}; {first}"
        context.run.database.add_event(iteration, "info", "coach", message)
    context.finish(
        f"iteration {iteration}: coach ({report.provider}) found {len(report.weaknesses)} weaknesses in "
        f"{report.num_games:,} games, {len(report.used)} in use{worst}"
    )
