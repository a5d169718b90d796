"""A run in a few figures, for `milton runs`, `milton status` and the dashboard."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from milton.config import Settings
from milton.errors import MiltonError
from milton.system import shown_text

from .champion import ChampionPointer
from .database import RunDatabase
from .lock import lock_owner
from .records import LADDER_KIND, MILESTONE_KIND, EventRecord, RatingRecord

# The reported stage is out of date if the loop has not reported for so long.
_STALE_S = 30.0


@dataclass(frozen=True, slots=True)
class RunSummary:
    name: str
    path: str
    game: str
    profile: str
    created_s: float
    updated_s: float  # when the last stage finished; created_s before the first
    running_pid: int | None  # process that holds the lock
    latest_iteration: int
    latest_stage: str
    num_positions: int
    num_games: int
    num_promotions: int  # the first network does not count
    champion: str  # checkpoint relative to the run, "" if there is none
    latest_rating: RatingRecord | None
    latest_events: tuple[EventRecord, ...]
    metrics: dict[str, float]  # newest value of each
    progress: dict[str, Any]  # what the loop last said about itself


def summarize(
    path: Path, database: RunDatabase, settings: Settings, lock_path: Path, champion_path: Path
) -> RunSummary:
    stages = database.stages()
    games = database.games("selfplay")
    ratings = database.ratings(LADDER_KIND) or tuple(
        rating for rating in database.ratings() if rating.kind != MILESTONE_KIND
    )
    return RunSummary(
        name=shown_text(path.resolve().name),
        path=str(path),
        game=settings.game,
        profile=settings.loop.profile,
        created_s=database.created_s,
        updated_s=max((stage.finished_s for stage in stages), default=database.created_s),
        running_pid=lock_owner(lock_path),
        latest_iteration=stages[-1].iteration if stages else 0,
        latest_stage=stages[-1].stage if stages else "",
        num_positions=sum(record.num_positions for record in games),
        num_games=sum(record.num_games for record in games),
        num_promotions=max(0, len(database.champions()) - 1),
        champion=ChampionPointer.read(champion_path).checkpoint if champion_path.exists() else "",
        latest_rating=ratings[-1] if ratings else None,
        latest_events=database.events(limit=20),
        metrics=database.latest_metrics(),
        progress=database.progress,
    )


def running_stage(progress: Mapping[str, Any]) -> dict[str, Any]:
    """The stage that a running loop said it is at; empty if it has not said anything for long."""
    is_fresh = (
        abs(time.time() - progress.get("updated_s", 0.0)) < _STALE_S
    )  # the clock may have been set back
    stage: dict[str, Any] = progress.get("stage", {})
    return stage if is_fresh else {}


def list_runs(root: Path) -> Iterator[RunSummary | MiltonError]:
    """Every run below `root`, newest first; one that cannot be read comes as the error that says why."""
    from .run import SETTINGS_NAME, RunDir

    folders = [path.parent for path in root.glob(f"*/{SETTINGS_NAME}")]
    for folder in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            with RunDir.open(folder, writable=False) as run:
                yield run.summary()
        except MiltonError as error:  # translated into an entry of the list
            yield error


def newest_run(root: Path) -> Path | None:
    """The readable run below `root` that changed last."""
    runs = [entry for entry in list_runs(root) if isinstance(entry, RunSummary)]
    return Path(max(runs, key=lambda entry: entry.updated_s).path) if runs else None
