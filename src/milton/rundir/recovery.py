"""Puts a run folder in order after a crash or damage: clears up, quarantines, falls back. Needs the lock.

Checks sizes of all files of finished stages and the hash of the champion; shards and checkpoints are
checked again when they are read.
"""

from dataclasses import dataclass
from pathlib import Path

from milton.errors import RunError

from .atomic import quarantine, remove_temporaries
from .champion import ChampionPointer
from .database import RunDatabase
from .records import Artifact, StageRecord


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was wrong, and what was done about it."""

    path: str
    problem: str
    action: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.action}"


def recover(run: Path, database_path: Path, champion_path: Path) -> tuple[RunDatabase, tuple[Finding, ...]]:
    """Opens the run's database for writing and repairs what can be repaired."""
    remove_temporaries(run)
    database, findings = _open_database(database_path)
    findings += _check_artifacts(run, database)
    findings += _check_champion(run, database, champion_path)
    for finding in findings:
        database.add_event(
            database.latest_iteration(),
            "warning",
            "quarantine",
            f"{finding.path}: {finding.problem}",
            action=finding.action,
        )
    return database, tuple(findings)


def _open_database(path: Path) -> tuple[RunDatabase, list[Finding]]:
    try:
        database = RunDatabase(path, writable=True)
        database.check()
        return database, []
    except RunError as error:
        if "is damaged" not in str(error):
            raise
    # What happened is lost, what was learnt is not: champion, checkpoints and shards are files of their own.
    moved = quarantine(path)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    finding = Finding(path.name, "not a readable database", f"kept as {moved.name}, history starts anew")
    return RunDatabase(path, writable=True), [finding]


def _check_artifacts(run: Path, database: RunDatabase) -> list[Finding]:
    findings: list[Finding] = []
    newest = database.latest_iteration()
    for stage in database.stages():
        broken = [finding for artifact in stage.artifacts if (finding := _check_artifact(run, artifact))]
        if broken and stage.iteration == newest:
            broken.append(_undo_from(database, stage))
        findings += [finding for finding in broken if not _known(database, finding)]
    return findings


def _check_artifact(run: Path, artifact: Artifact) -> Finding | None:
    path = run / artifact.path
    if not path.is_file():
        return Finding(artifact.path, "missing", "the run goes on without it")
    found = path.stat().st_size
    # Shards check themselves block by block: what is left of a damaged one is still worth reading.
    if found == artifact.num_bytes or path.suffix == ".shard":
        return None
    moved = quarantine(path)
    return Finding(
        artifact.path, f"has {found} bytes, must have {artifact.num_bytes}", f"moved to {moved.name}"
    )


def _undo_from(database: RunDatabase, broken: StageRecord) -> Finding:
    """In the newest iteration a stage without its files is not done, nor is anything built on it."""
    later = [
        stage.stage for stage in database.stages(broken.iteration) if stage.finished_s >= broken.finished_s
    ]
    database.forget_stages(broken.iteration, later)
    where = f"iter_{broken.iteration:04d}"
    return Finding(where, f"stage {broken.stage} lost its files", f"doing again: {', '.join(later)}")


def _known(database: RunDatabase, finding: Finding) -> bool:
    """Old files that are gone are reported once, not at every start."""
    message = f"{finding.path}: {finding.problem}"
    return finding.problem == "missing" and any(event.message == message for event in database.events())


def _check_champion(run: Path, database: RunDatabase, pointer_path: Path) -> list[Finding]:
    history = database.champions()
    if not pointer_path.exists() and not history:
        return []
    try:
        ChampionPointer.read(pointer_path).verified_path(run)
    except RunError as error:
        problem = str(error)
    else:
        return []
    _quarantine_champion(run, pointer_path)
    for record in reversed(history):
        pointer = ChampionPointer(record.checkpoint, record.sha256)
        try:
            pointer.verified_path(run)
        except RunError:
            continue
        pointer.write(pointer_path)
        return [Finding(pointer_path.name, problem, f"went back to {record.checkpoint}")]
    raise RunError(
        f"the champion of run {str(run)!r} is lost and no earlier one is intact: {problem}; "
        "copy a checkpoint back from a backup, or start a new run with `milton init`"
    )


def _quarantine_champion(run: Path, pointer_path: Path) -> None:
    if not pointer_path.exists():
        return
    try:
        checkpoint = run / ChampionPointer.read(pointer_path).checkpoint
    except RunError:
        quarantine(pointer_path)
        return
    if checkpoint.is_file():
        quarantine(checkpoint)
