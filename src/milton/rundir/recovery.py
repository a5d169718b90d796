"""Puts a run folder in order after a crash or damage: clears up, quarantines, falls back. Needs the lock.

Checks the sizes of all files of finished stages, the SHA-256 of the champion and of those of the last two
iterations, which is everything that a resumed loop loads; shards check themselves block by block.
"""

from dataclasses import dataclass
from pathlib import Path

from milton.errors import RunError

from .atomic import inside, quarantine, remove_temporaries, sha256_of, unused_name
from .champion import ChampionPointer
from .database import DamagedDatabaseError, RunDatabase
from .records import Artifact, StageRecord

HISTORY_LOST_KEY = "history_lost"  # state of the run: rows are missing that its files can give back
_REBUILDING = "the loop rebuilds its history from the files of the run; past metrics and ratings are lost"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was wrong, and what was done about it."""

    path: str
    problem: str
    action: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.action}"


def recover(
    run: Path, database_path: Path, champion_path: Path, deployed_path: Path
) -> tuple[RunDatabase, tuple[Finding, ...]]:
    """Opens the run's database for writing and repairs what can be repaired."""
    remove_temporaries(run)
    database, findings = _open_database(run, database_path)
    findings += _remove_damaged_rows(database, database_path)
    if findings:
        # The loop knows how to read the files; it restores what it finds before it continues.
        database.set_state(HISTORY_LOST_KEY, 1)
    findings += _check_artifacts(run, database)
    findings += _check_champion(run, database, champion_path)
    findings += _check_deployed(run, deployed_path)
    for finding in findings:
        database.add_event(
            database.latest_iteration(),
            "warning",
            "quarantine",
            f"{finding.path}: {finding.problem}",
            action=finding.action,
        )
    return database, tuple(findings)


def _open_database(run: Path, path: Path) -> tuple[RunDatabase, list[Finding]]:
    try:
        database = RunDatabase(path, writable=True)
        database.check()
    except DamagedDatabaseError:
        pass
    else:
        has_files = any(run.glob("iter_[0-9]*/*.s*"))  # shards or checkpoints
        return database, [
            Finding(path.name, "missing or empty", _REBUILDING)
        ] if database.is_new and has_files else []
    # The history is lost, the networks are not: champion, checkpoints and shards are separate files.
    moved = quarantine(path)
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    finding = Finding(path.name, "not a readable database", f"kept as {moved.name}; {_REBUILDING}")
    return RunDatabase(path, writable=True), [finding]


def _remove_damaged_rows(database: RunDatabase, path: Path) -> list[Finding]:
    copy = unused_name(path)
    removed = database.remove_damaged_rows(copy)
    if not removed:
        return []
    counts = ", ".join(f"{count} of {table}" for table, count in removed.items())
    problem, action = f"rows that do not decode: {counts}", f"removed, a copy is {copy.name}; {_REBUILDING}"
    return [Finding(path.name, problem, action)]


def _check_artifacts(run: Path, database: RunDatabase) -> list[Finding]:
    findings: list[Finding] = []
    newest = database.latest_iteration()
    for stage in database.stages():
        is_recent = stage.iteration >= newest - 1
        checked = (_check_artifact(run, artifact, is_recent) for artifact in stage.artifacts)
        broken = [finding for finding in checked if finding]
        if broken and stage.iteration == newest:
            broken.append(_undo_from(database, stage))
        findings += [finding for finding in broken if not _known(database, finding)]
    return findings


def _check_artifact(run: Path, artifact: Artifact, is_recent: bool) -> Finding | None:
    try:
        path = inside(run, artifact.path)
        found = path.stat().st_size if path.is_file() else None
    except RunError as error:
        return Finding("run.sqlite", str(error), "not touched")
    except OSError as error:  # a name that no file can have
        problem = f"{artifact.path[:80]!r} cannot be a file: {error.strerror}"
        return Finding("run.sqlite", problem, "not touched")
    if path.parent == run:
        return Finding("run.sqlite", f"{artifact.path!r} is not a file of an iteration", "not touched")
    if found is None:
        return Finding(artifact.path, "missing", "the run continues without it")
    # Shards check themselves block by block: what is left of a damaged one is still worth reading.
    if path.suffix == ".shard":
        return None
    if found != artifact.num_bytes:
        problem = f"has {found} bytes, must have {artifact.num_bytes}"
    elif is_recent and sha256_of(path) != artifact.sha256:
        problem = "does not have the SHA-256 of its row"
    else:
        return None
    return Finding(artifact.path, problem, f"moved to {quarantine(path).name}")


def _undo_from(database: RunDatabase, broken: StageRecord) -> Finding:
    """In the newest iteration a stage without its files is not done, nor is anything built on it."""
    later = [
        stage.stage for stage in database.stages(broken.iteration) if stage.finished_s >= broken.finished_s
    ]
    database.forget_stages(broken.iteration, later)
    where = f"iter_{broken.iteration:04d}"
    return Finding(where, f"stage {broken.stage} lost its files", f"repeating: {', '.join(later)}")


def _known(database: RunDatabase, finding: Finding) -> bool:
    """Old files that are gone are reported once, not at every start."""
    message = f"{finding.path}: {finding.problem}"
    is_repeated = finding.problem == "missing" or finding.action == "not touched"
    return is_repeated and any(event.message == message for event in database.events())


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
        return [Finding(pointer_path.name, problem, f"fell back to {record.checkpoint}")]
    raise RunError(
        f"the champion of run {str(run)!r} is lost and no earlier one is intact: {problem}; "
        "copy a checkpoint back from a backup, or start a new run with `milton init`"
    )


def _check_deployed(run: Path, pointer_path: Path) -> list[Finding]:
    """Without its pointer the champion plays people, which always works."""
    if not pointer_path.exists():
        return []
    try:
        ChampionPointer.read(pointer_path).verified_path(run)
    except RunError as error:
        moved = quarantine(pointer_path)
        return [Finding(pointer_path.name, str(error), f"kept as {moved.name}; the champion plays people")]
    return []


def _quarantine_champion(run: Path, pointer_path: Path) -> None:
    if not pointer_path.exists():
        return
    try:
        checkpoint = inside(run, ChampionPointer.read(pointer_path).checkpoint)
    except RunError:
        quarantine(pointer_path)
        return
    if checkpoint.is_file():
        quarantine(checkpoint)
