"""A run as pages see it, read from its folder while a loop may be at work. Never writes.

A loop says what it does in the state "progress" of run.sqlite (loop.LiveStatus); what is finished stands in
rows. Rows are read by iteration number, so that a long run costs no more than a short one.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from milton.coach import STAGE as COACH_STAGE
from milton.coach import weighing_report
from milton.errors import MiltonError
from milton.records import from_fields
from milton.rundir import (
    ARENA_KIND,
    LADDER_KIND,
    GamesRecord,
    RatingRecord,
    RunDir,
    StageRecord,
    anchored_ratings,
    running_stage,
)
from milton.webapi.replays import replay_of
from milton.webapi.run_messages import (
    AnchoredView,
    ArenaRow,
    CoachRow,
    EloView,
    IterationPage,
    IterationRow,
    LiveGame,
    RatedView,
    RunNote,
    RunSnapshot,
    RunView,
    SelfPlayRow,
    StageView,
    TrainingRow,
)

MAX_ROWS = 200  # iterations in one message
NUM_NOTES = 50
# As the loop calls it; its list of stages would bring PyTorch into every server.
_LAST_STAGE = "ladder"


def run_id(run: RunDir) -> str:
    """Tells a run from another one that took its place in the folder."""
    return f"{run.name}-{run.database.created_s:.3f}"


def snapshot(run: RunDir) -> RunSnapshot:
    progress = run.database.progress
    return RunSnapshot(
        run_id=run_id(run), run=run_view(run, progress), live=live_game(progress), notes=notes(run)
    )


def run_view(run: RunDir, progress: Mapping[str, Any]) -> RunView:
    settings, database = run.settings(), run.database
    is_running = run.running_pid() is not None
    ratings = database.ratings(LADDER_KIND)
    champions = database.champions()

    def figure(name: str) -> float:
        return float(progress.get(name, 0.0))

    return RunView(
        name=run.name,
        folder=str(run.path),
        game=settings.game,
        profile=settings.loop.profile,
        is_running=is_running,
        created_s=database.created_s,
        updated_s=float(progress.get("updated_s", database.created_s)),
        stage=_stage_view(running_stage(progress)) if is_running else None,
        latest_iteration=database.latest_iteration(),
        num_iterations=int(progress.get("num_iterations", settings.loop.iterations)),
        num_promotions=max(0, len(champions) - 1),
        champion=run.champion().short_name if run.has_champion() else "",
        champion_iteration=champions[-1].iteration if champions else 0,
        rating=rated_view(ratings[-1]) if ratings else None,
        estimated_elo=progress.get("elo_chained"),
        anchored=_anchored_view(run),
        score_against_first=progress.get("score_against_first"),
        num_positions=int(progress.get("num_positions", 0)),
        num_games=int(progress.get("num_games", 0)),
        games_per_hour=figure("games_per_hour"),
        simulations_per_s=figure("simulations_per_s"),
        positions_per_s=figure("positions_per_s"),
        draw_rate=figure("draw_rate"),
        mean_plies=figure("mean_plies"),
        selfplay_share=figure("selfplay_share"),
        memory_mb=figure("memory_mb"),
    )


def live_game(progress: Mapping[str, Any]) -> LiveGame | None:
    """The game that the loop put on display; none if it is not as a loop writes it."""
    shown = progress.get("shown_game")
    if not shown:
        return None
    try:
        return LiveGame(
            kind=shown["kind"],
            iteration=shown["iteration"],
            number=shown["number"],
            game=replay_of(from_fields(shown["game"])),
        )
    except (MiltonError, ValidationError):  # the rest of the run is still worth showing
        return None


def notes(run: RunDir) -> list[RunNote]:
    return [
        RunNote(
            iteration=event.iteration,
            level=event.level,
            kind=event.kind,
            message=event.message,
            action=event.action,
            time_s=event.time_s,
        )
        for event in run.database.events(limit=NUM_NOTES)
    ]


def iteration_page(run: RunDir, since: int, limit: int = MAX_ROWS) -> IterationPage:
    """Rows of iterations from `since` on, oldest first."""
    rows = iteration_rows(run, since, since + limit - 1)
    latest = run.database.latest_iteration()
    return IterationPage(
        run_id=run_id(run), iterations=rows, next_since=since + limit if latest >= since + limit else None
    )


def iteration_rows(run: RunDir, first: int, last: int) -> list[IterationRow]:
    """Rows of the iterations `first` to `last` that have a finished stage."""
    database = run.database
    stages: dict[int, dict[str, StageRecord]] = defaultdict(dict)
    for stage in database.stages(since_iteration=first, until_iteration=last):
        stages[stage.iteration][stage.stage] = stage
    metrics: dict[int, dict[str, float]] = defaultdict(dict)
    for metric in database.metrics(since_iteration=first, until_iteration=last):
        metrics[metric.iteration][metric.name] = metric.value
    games = {
        record.iteration: record
        for record in database.games("selfplay", since_iteration=first, until_iteration=last)
    }
    ratings: dict[tuple[int, str], RatingRecord] = {
        (rating.iteration, rating.kind): rating
        for rating in database.ratings(since_iteration=first, until_iteration=last)
    }
    latest = database.latest_iteration()
    promoted = {record.iteration for record in database.champions() if record.iteration > 0}
    return [
        IterationRow(
            iteration=number,
            is_complete=number < latest or _LAST_STAGE in found,
            finished_s=max(stage.finished_s for stage in found.values()),
            stage_seconds={name: stage.finished_s - stage.started_s for name, stage in found.items()},
            was_promoted=number in promoted,
            selfplay=_selfplay_row(games.get(number), metrics[number]),
            coach=_coach_row(found.get(COACH_STAGE)),
            training=_training_row(metrics[number]) if "train" in found else None,
            arena=_arena_row(ratings.get((number, ARENA_KIND)), number in promoted),
            rating=_elo_view(rating) if (rating := ratings.get((number, LADDER_KIND))) else None,
        )
        for number, found in sorted(stages.items())
    ]


def _stage_view(stage: Mapping[str, Any]) -> StageView | None:
    """A loop of an older version says neither share nor time to go."""
    if not stage:
        return None
    return StageView(
        iteration=stage["iteration"],
        name=stage["name"],
        unit=stage["unit"],
        done=stage["done"],
        total=stage["total"],
        share=stage.get("share", 0.0),
        eta_s=stage.get("eta_s"),
        started_s=stage["started_s"],
        text=stage["text"],
    )


def _elo_view(rating: RatingRecord) -> EloView:
    return EloView(
        elo=rating.elo,
        low=rating.elo_low if math.isfinite(rating.elo_low) else None,
        high=rating.elo_high if math.isfinite(rating.elo_high) else None,
    )


def rated_view(rating: RatingRecord) -> RatedView:
    return RatedView(**_elo_view(rating).model_dump(), iteration=rating.iteration, player=rating.player)


def _anchored_view(run: RunDir) -> AnchoredView | None:
    ratings = anchored_ratings(run.path)
    if not ratings:
        return None
    newest = ratings[-1]
    return AnchoredView(
        elo=newest.elo,
        low=newest.low if math.isfinite(newest.low) else None,
        high=newest.high if math.isfinite(newest.high) else None,
        iteration=newest.iteration,
        pool=newest.pool,
        time_control=newest.time_control,
        num_games=newest.num_games,
    )


def _selfplay_row(games: GamesRecord | None, metrics: Mapping[str, float]) -> SelfPlayRow | None:
    if games is None:
        return None
    return SelfPlayRow(
        num_games=games.num_games,
        num_positions=games.num_positions,
        first_wins=games.first_wins,
        draws=games.draws,
        second_wins=games.second_wins,
        num_distinct=games.num_distinct,
        draw_rate=games.draw_rate,
        mean_plies=games.mean_plies,
        end_reasons=dict(games.end_reasons),
        simulations_per_s=metrics.get("selfplay/simulations_per_s"),
        positions_per_s=metrics.get("selfplay/positions_per_s"),
        games_per_hour=metrics.get("selfplay/games_per_hour"),
    )


def _coach_row(stage: StageRecord | None) -> CoachRow | None:
    return None if stage is None else CoachRow(report=weighing_report(stage), finished_s=stage.finished_s)


def _training_row(metrics: Mapping[str, float]) -> TrainingRow:
    return TrainingRow(
        policy_loss=metrics.get("train/policy_loss"),
        value_loss=metrics.get("train/value_loss"),
        holdout_policy_loss=metrics.get("holdout/policy_loss"),
        holdout_value_loss=metrics.get("holdout/value_loss"),
        policy_agreement=metrics.get("holdout/policy_agreement"),
        target_entropy=metrics.get("holdout/target_entropy"),
        policy_entropy=metrics.get("holdout/policy_entropy"),
        value_bias=metrics.get("holdout/value_bias"),
        value_error=metrics.get("holdout/value_error"),
        uses_per_position=metrics.get("train/uses_per_position"),
        learning_rate=metrics.get("train/learning_rate"),
        samples_per_s=metrics.get("train/samples_per_s"),
        window=metrics.get("train/window"),
    )


def _arena_row(match: RatingRecord | None, was_promoted: bool) -> ArenaRow | None:
    if match is None:
        return None
    return ArenaRow(
        wins=match.wins,
        draws=match.draws,
        losses=match.losses,
        score=match.score,
        elo=_elo_view(match),
        was_promoted=was_promoted,
        opponent=match.opponent,
    )
