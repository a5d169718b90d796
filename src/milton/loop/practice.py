"""The archive of positions to practise as files of a run: which one is in use, and how the next is made.

Each stage of self-play writes a new archive from the one before and its own games. Its row holds the file's
SHA-256, so a killed stage, when it is done again, starts from the same archive.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from milton.coach import Archive, PracticePlan, renew_archive, report_in_force
from milton.config import Settings
from milton.errors import CoachError
from milton.replay import GameBlock
from milton.rundir import RunDir, quarantine

ARCHIVE_NAME = "practice.safetensors"
_STAGE = "selfplay"


@dataclass(frozen=True, slots=True)
class PracticeDone:
    """What a stage of self-play records about practice; nothing if there is none."""

    files: tuple[Path, ...] = ()
    result: dict[str, object] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    words: str = ""


def is_practising(settings: Settings) -> bool:
    return settings.selfplay.practice_fraction > 0.0


def archive_before(run: RunDir, settings: Settings, iteration: int) -> Archive:
    """The newest archive of earlier iterations, empty if there is none; CoachError if it is damaged."""
    for number, path, sha256 in _archives(run):
        if number < iteration and path.is_file():
            found = Archive.load(path, sha256)
            if found.game != settings.game:
                raise CoachError(f"{path}: expected positions of {settings.game}, got those of {found.game}")
            return found
    return Archive.empty(settings.game, settings.selfplay.practice_from)


def practice_after(
    run: RunDir, settings: Settings, archive: Archive, iteration: int, blocks: list[GameBlock]
) -> PracticeDone:
    """Writes the archive that the games of an iteration leave behind."""
    if not is_practising(settings):
        return PracticeDone()
    try:
        report = report_in_force(run)
    except CoachError:  # damaged: the coach's own stage says so
        report = None
    plan = PracticePlan(iteration, settings.loop.seed, settings.selfplay, settings.coach, report)
    renewed, figures = renew_archive(archive, blocks, plan)
    path = run.iteration_dir(iteration) / ARCHIVE_NAME
    renewed.save(path)
    return PracticeDone(
        (path,),
        {"practice": figures.model_dump()},
        {
            "practice/games": float(figures.num_games),
            "practice/positions": float(figures.num_positions),
            "practice/learnt": float(figures.num_learnt),
            "practice/swing_before": figures.swing_before,
            "practice/swing_now": figures.swing_now,
        },
        f"; practice: {figures}",
    )


def set_archives_aside(run: RunDir) -> None:
    """Keeps the files for inspection; they no longer belong to a stage."""
    for number, path, _ in list(_archives(run)):
        if path.is_file():
            quarantine(path)
        run.drop_artifact(number, _STAGE, path)


def drop_older_archives(run: RunDir, iteration: int) -> None:
    """The archive of an iteration holds all that is left of those before."""
    for number in run.iteration_numbers():
        path = run.iteration_dir(number) / ARCHIVE_NAME
        if number < iteration and path.is_file():
            run.drop_artifact(number, _STAGE, path)


def _archives(run: RunDir) -> Iterator[tuple[int, Path, str]]:
    """(iteration, path, SHA-256) of every archive that the run has had, newest first."""
    for record in reversed(run.database.stages()):
        path = run.iteration_dir(record.iteration) / ARCHIVE_NAME
        for artifact in record.artifacts if record.stage == _STAGE else ():
            if Path(artifact.path).name == ARCHIVE_NAME:
                yield record.iteration, path, artifact.sha256
