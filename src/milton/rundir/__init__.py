"""Where the files of a run live. Knows names and atomic writes, not what the files mean."""

from .atomic import explain_os_error, quarantine, replacing, sha256_of, write_bytes, write_text
from .champion import ChampionPointer, ChampionWatcher
from .database import RunDatabase
from .lock import RunLock, lock_owner
from .records import (
    Artifact,
    ChampionRecord,
    EventLevel,
    EventRecord,
    GamesRecord,
    MetricRecord,
    RatingRecord,
    StageRecord,
)
from .recovery import Finding
from .run import DEFAULT_ROOT, RunDir
from .summary import RunSummary, list_runs, newest_run, running_stage

__all__ = [
    "DEFAULT_ROOT",
    "Artifact",
    "ChampionPointer",
    "ChampionRecord",
    "ChampionWatcher",
    "EventLevel",
    "EventRecord",
    "Finding",
    "GamesRecord",
    "MetricRecord",
    "RatingRecord",
    "RunDatabase",
    "RunDir",
    "RunLock",
    "RunSummary",
    "StageRecord",
    "explain_os_error",
    "list_runs",
    "lock_owner",
    "newest_run",
    "quarantine",
    "replacing",
    "running_stage",
    "sha256_of",
    "write_bytes",
    "write_text",
]
