"""The coach's reports of a run as pages see them. The coach's own reader judges the files.

Texts of a report may come from a language model or from whoever could write the file: they are made harmless
and cut here, and pages show them as text.
"""

from functools import lru_cache
from pathlib import Path

from milton.coach import REPORT_NAME, STAGE, Weakness, WeaknessReport, report_path, weighing_report
from milton.coach.report import harmless
from milton.errors import RequestError
from milton.rundir import RunDir
from milton.webapi.coach_messages import LONGEST_TEXT, CoachReport, CoachView, WeaknessView

_MAX_FILE_BYTES = 1 << 20


def newest_coach(run: RunDir) -> CoachView:
    """With the newest report of the run."""
    return _view(run, report_path(run))


def coach_of_iteration(run: RunDir, iteration: int) -> CoachView:
    """With the report that weighed the iteration's training, which may be of an earlier iteration."""
    number = weighing_report(run.database.stage(iteration, STAGE))
    return _view(run, run.iteration_dir(number) / REPORT_NAME if number else None)


def _view(run: RunDir, path: Path | None) -> CoachView:
    settings = run.settings_now().coach
    return CoachView(
        is_enabled=settings.enabled,
        every=settings.every,
        provider=_shown(settings.provider),
        report=None if path is None else _report(run, path),
    )


def _report(run: RunDir, path: Path) -> CoachReport:
    where = f"{path.parent.name}/{path.name}"
    if not run.holds(path):
        raise RequestError(f"{where} is not there", status=404, hint="`milton coach --run` makes another.")
    status = path.stat()
    if status.st_size > _MAX_FILE_BYTES:
        raise RequestError(
            f"{where} has {status.st_size:,} bytes", status=404, hint="It is too large to show here."
        )
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _read(path: Path, _changed_ns: int, _num_bytes: int) -> CoachReport:
    """Reports are replaced as a whole, so time and size tell versions apart."""
    report = WeaknessReport.load(path)
    weaknesses = sorted(report.weaknesses, key=lambda weakness: (bool(weakness.ignored), -weakness.severity))
    return CoachReport(
        iteration=report.iteration,
        provider=_shown(report.provider),
        model=_shown(report.model),
        num_games=report.num_games,
        num_positions=report.num_positions,
        num_tested=report.num_tested,
        mean_loss=report.mean_loss,
        statistic=_shown(report.statistic),
        tokens=report.tokens,
        weaknesses=[_weakness(weakness) for weakness in weaknesses],
        problem=_shown(report.problem),
        practice="" if report.practice is None else str(report.practice),
    )


def _weakness(weakness: Weakness) -> WeaknessView:
    return WeaknessView(
        category=weakness.category,
        description=_shown(weakness.description),
        fingerprint=_shown(str(weakness.fingerprint)),
        severity=weakness.severity,
        share=weakness.share,
        ignored=_shown(weakness.ignored),
    )


def _shown(text: str) -> str:
    clean = harmless(text[: 2 * LONGEST_TEXT])
    return clean if len(clean) <= LONGEST_TEXT else clean[: LONGEST_TEXT - 1] + "…"
