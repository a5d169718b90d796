"""Where the files of a run live. Knows names and atomic writes, not what the files mean."""

from .anchored import AnchoredRating, add_anchored_rating, anchored_ratings
from .atomic import explain_os_error, quarantine, remove_file, replacing, sha256_of, write_bytes, write_text
from .champion import ChampionPointer, ChampionWatcher
from .database import PROGRESS_KEY, RunDatabase
from .lock import RunLock, lock_owner
from .records import (
    ARENA_KIND,
    LADDER_KIND,
    LADDER_MATCH_KIND,
    MILESTONE_KIND,
    Artifact,
    ChampionRecord,
    EventLevel,
    EventRecord,
    GamesRecord,
    MetricRecord,
    RatingRecord,
    StageRecord,
)
from .recovery import HISTORY_LOST_KEY, Finding
from .run import DEFAULT_ROOT, RunDir, network_file
from .state import state_folder
from .summary import RunSummary, list_runs, newest_run, running_stage

__all__ = [
    "ARENA_KIND",
    "DEFAULT_ROOT",
    "HISTORY_LOST_KEY",
    "LADDER_KIND",
    "LADDER_MATCH_KIND",
    "MILESTONE_KIND",
    "PROGRESS_KEY",
    "AnchoredRating",
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
    "add_anchored_rating",
    "anchored_ratings",
    "explain_os_error",
    "list_runs",
    "lock_owner",
    "network_file",
    "newest_run",
    "quarantine",
    "remove_file",
    "replacing",
    "running_stage",
    "sha256_of",
    "state_folder",
    "write_bytes",
    "write_text",
]
