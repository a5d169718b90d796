"""Where a run stands, gathered from its folder. Reads only, so it may be asked while a loop works."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from milton.coach import latest_report
from milton.errors import CoachError
from milton.rundir import (
    LADDER_KIND,
    LADDER_MATCH_KIND,
    AnchoredRating,
    EventRecord,
    RatingRecord,
    RunDir,
    RunSummary,
    StageRecord,
    anchored_ratings,
    running_stage,
)

from .milestone_record import RatedMilestone, rated_milestones
from .processor_time import recorded_processor_s
from .stage_times import stage_seconds
from .strength import elo_over_first

_SHOWN_MATCHES = 10
_SHOWN_EVENTS = 5


@dataclass(frozen=True, slots=True)
class ArenaLine:
    iteration: int
    match: RatingRecord
    was_promoted: bool
    num_distinct: int | None


@dataclass(frozen=True, slots=True)
class RunStatus:
    summary: RunSummary
    is_running: bool
    stage: dict[str, Any]  # StageFigures of the running stage; empty if nothing runs
    num_iterations_set: int  # where the loop stops, or the run's settings would stop it; 0: forever
    stage_shares: dict[str, float]  # share of the time of finished stages
    stage_seconds: dict[str, float]
    bytes_per_position: float | None  # of the shards on disk
    arena: tuple[ArenaLine, ...]  # newest last
    ladder: tuple[RatingRecord, ...]  # Elo over the first champion, newest last
    ladder_matches: tuple[RatingRecord, ...]  # of the newest rating
    over_first: RatingRecord | None  # the ladder's of the champion or, while it has none, the newest
    score_against_first: float | None  # of the network that `over_first` is of
    elo_chained: float | None  # estimate for a champion newer than that
    anchored: AnchoredRating | None  # the newest on the scale of published figures
    deployed: str  # checkpoint of the network that plays people; "" if that is simply the champion
    milestones: tuple[RatedMilestone, ...]  # ratings on a published scale, newest last
    processor_s: float | None  # of all loops of the run; None if unknown
    alarms: tuple[EventRecord, ...]  # warnings and alarms, newest last
    coach: dict[str, Any] | None  # the newest WeaknessReport as JSON has it
    practice: dict[str, Any] | None  # PracticeFigures of the newest games, if any may start from an archive
    workers: list[dict[str, Any]]  # WorkerFigures of a running loop on a cluster


def run_status(path: Path) -> RunStatus:
    """Everything `milton status` shows; RunError if there is no run."""
    with RunDir.open(path, writable=False) as run:
        return _status(run)


def _status(run: RunDir) -> RunStatus:
    database, summary = run.database, run.summary()
    stages = database.stages()
    is_running = summary.running_pid is not None
    seconds = stage_seconds(stages)
    whole = max(1e-9, sum(seconds.values()))
    ladder_matches = database.ratings(LADDER_MATCH_KIND)
    over_first = elo_over_first(run) if run.has_champion() else None
    newest = max((match.iteration for match in ladder_matches), default=0)
    return RunStatus(
        summary=summary,
        is_running=is_running,
        stage=running_stage(summary.progress) if is_running else {},
        num_iterations_set=_limit(run, summary),
        stage_shares={name: spent / whole for name, spent in seconds.items()},
        stage_seconds=seconds,
        bytes_per_position=_bytes_per_position(stages),
        arena=_arena_lines(run)[-_SHOWN_MATCHES:],
        ladder=database.ratings(LADDER_KIND)[-_SHOWN_MATCHES:],
        ladder_matches=tuple(match for match in ladder_matches if match.iteration == newest),
        over_first=over_first.rating if over_first else None,
        score_against_first=over_first.score_against_first if over_first else None,
        elo_chained=over_first.chained if over_first else None,
        anchored=(anchored_ratings(run.path) or (None,))[-1],
        deployed=run.deployed().checkpoint if run.deployed_path.exists() else "",
        milestones=rated_milestones(run),
        processor_s=recorded_processor_s(run),
        coach=_coach(run),
        practice=_practice(stages),
        workers=summary.progress.get("workers", []) if is_running else [],
        alarms=tuple(event for event in database.events() if event.level != "info")[-_SHOWN_EVENTS:],
    )


def _limit(run: RunDir, summary: RunSummary) -> int:
    """What a running loop was asked for counts; a limit that was passed is none."""
    asked = summary.progress.get("num_iterations") if summary.running_pid is not None else None
    limit: int = run.settings().loop.iterations if asked is None else asked
    return limit if limit >= summary.latest_iteration else 0


def _coach(run: RunDir) -> dict[str, Any] | None:
    try:
        report = latest_report(run)
    except CoachError as error:  # damaged; the loop says so and makes another
        return {"problem": str(error)}
    return None if report is None else report.model_dump(mode="json")


def _practice(stages: tuple[StageRecord, ...]) -> dict[str, Any] | None:
    played = [stage for stage in stages if stage.stage == "selfplay"]
    return played[-1].result.get("practice") if played else None


def _bytes_per_position(stages: tuple[StageRecord, ...]) -> float | None:
    selfplay = [stage for stage in stages if stage.stage == "selfplay"]
    num_positions = sum(int(stage.result.get("positions", 0)) for stage in selfplay)
    num_bytes = sum(
        artifact.num_bytes
        for stage in selfplay
        for artifact in stage.artifacts
        if artifact.path.endswith(".shard")
    )
    return num_bytes / num_positions if num_positions else None


def _arena_lines(run: RunDir) -> tuple[ArenaLine, ...]:
    results = {stage.iteration: stage.result for stage in run.database.stages() if stage.stage == "arena"}
    return tuple(
        ArenaLine(
            match.iteration,
            match,
            bool(results.get(match.iteration, {}).get("promoted", False)),
            results.get(match.iteration, {}).get("distinct"),
        )
        for match in run.database.ratings("arena")
    )
