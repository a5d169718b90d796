"""All runs beside the served one: a list, their settings, curves to lay over each other. Never writes."""

import json
from pathlib import Path
from typing import Any

from milton.errors import MiltonError
from milton.rundir import ARENA_KIND, LADDER_KIND, RunDir
from milton.webapi.run_messages import RunCurves, RunSummary
from milton.webapi.run_reader import rated_view
from milton.webapi.served_run import ServedRun

MAX_RUNS = 100
_HOUR_S = 3600.0


def list_runs(served: ServedRun) -> list[RunSummary]:
    """The newest first; a folder that is no run, or is damaged, is left out."""
    found = [summary for path in served.siblings() if (summary := _summary(path, served)) is not None]
    return sorted(found, key=lambda run: run.created_s, reverse=True)[:MAX_RUNS]


def curves_of(served: ServedRun, name: str) -> RunCurves:
    with RunDir.open(served.path(name), writable=False) as run:
        return _curves(run)


def _summary(path: Path, served: ServedRun) -> RunSummary | None:
    try:
        with RunDir.open(path, writable=False) as run:
            settings, database = run.settings(), run.database
            ratings = database.ratings(LADDER_KIND)
            shown = served.find()
            return RunSummary(
                name=run.name,
                game=settings.game,
                profile=settings.loop.profile,
                is_running=run.running_pid() is not None,
                is_served=shown is not None and shown.resolve() == path.resolve(),
                created_s=database.created_s,
                latest_iteration=database.latest_iteration(),
                num_promotions=max(0, len(database.champions()) - 1),
                rating=rated_view(ratings[-1]) if ratings else None,
                settings=_flat(settings.model_dump(mode="json")),
            )
    except MiltonError:  # half-made or of another version: no reason to hide the others
        return None


def _curves(run: RunDir) -> RunCurves:
    database = run.database
    created_s = database.created_s
    games = {record.iteration: record for record in database.games("selfplay")}
    finished = {stage.iteration: stage.finished_s for stage in database.stages()}
    elo = {rating.iteration: rating.elo for rating in database.ratings(LADDER_KIND)}
    promoted = {record.iteration for record in database.champions()}
    gains = {
        match.iteration: match.elo for match in database.ratings(ARENA_KIND) if match.iteration in promoted
    }
    losses = {
        name: {metric.iteration: metric.value for metric in database.metrics(f"train/{name}")}
        for name in ("policy_loss", "value_loss")
    }
    iterations = sorted(number for number in finished if number > 0)
    positions, total = [], 0
    for number in iterations:
        total += games[number].num_positions if number in games else 0
        positions.append(total)
    return RunCurves(
        name=run.name,
        iterations=iterations,
        positions=positions,
        hours=[max(0.0, finished[number] - created_s) / _HOUR_S for number in iterations],
        elo=[elo.get(number) for number in iterations],
        promotion_elo=[gains.get(number) for number in iterations],
        estimated_elo=database.progress.get("elo_chained"),
        policy_loss=[losses["policy_loss"].get(number) for number in iterations],
        value_loss=[losses["value_loss"].get(number) for number in iterations],
        draw_rate=[games[number].draw_rate if number in games else None for number in iterations],
    )


def _flat(settings: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """`{"train": {"batch": 8}}` → `{"train.batch": "8"}`; of a list of tables each has its number."""
    flat: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            flat |= _flat({str(number): item for number, item in enumerate(value, 1)}, f"{prefix}{name}.")
        elif isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value if isinstance(value, str) and value else _written(value)
    return flat


def _written(value: object) -> str:
    """As the file of a run writes it; what it leaves out is none."""
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
