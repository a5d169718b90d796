"""All runs beside the served one: a list, their settings, curves to lay over each other. Never writes."""

from pathlib import Path
from typing import Any

from milton.errors import MiltonError, RequestError
from milton.rundir import LADDER_KIND, RunDir
from milton.webapi.run_messages import RunCurves, RunSummary
from milton.webapi.run_reader import rated_view
from milton.webapi.served_run import ServedRun

MAX_RUNS = 100
_HOUR_S = 3600.0


def list_runs(served: ServedRun) -> list[RunSummary]:
    """The newest first; a folder that is no run, or is damaged, is left out."""
    found = [summary for path in _run_folders(served) if (summary := _summary(path, served)) is not None]
    return sorted(found, key=lambda run: run.created_s, reverse=True)[:MAX_RUNS]


def curves_of(served: ServedRun, name: str) -> RunCurves:
    """By name, never by path: only folders of the list can be asked for."""
    for path in _run_folders(served):
        if path.name == name:
            with RunDir.open(path, writable=False) as run:
                return _curves(run)
    raise RequestError(
        f"there is no run {name[:100]!r}", status=404, hint="GET /api/runs lists all.", where="name"
    )


def _run_folders(served: ServedRun) -> list[Path]:
    root = served.folder_of_runs()
    if root is None or not root.is_dir():
        return []
    return [path for path in sorted(root.iterdir()) if (path / "run.sqlite").is_file()]


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
                created_s=float(database.state("created_s", 0.0)),
                latest_iteration=database.latest_iteration(),
                num_promotions=max(0, len(database.champions()) - 1),
                rating=rated_view(ratings[-1]) if ratings else None,
                settings=_flat(settings.model_dump(mode="json")),
            )
    except MiltonError:  # half-made or of another version: no reason to hide the others
        return None


def _curves(run: RunDir) -> RunCurves:
    database = run.database
    created_s = float(database.state("created_s", 0.0))
    games = {record.iteration: record for record in database.games("selfplay")}
    finished = {stage.iteration: stage.finished_s for stage in database.stages()}
    elo = {rating.iteration: rating.elo for rating in database.ratings(LADDER_KIND)}
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
        policy_loss=[losses["policy_loss"].get(number) for number in iterations],
        value_loss=[losses["value_loss"].get(number) for number in iterations],
        draw_rate=[games[number].draw_rate if number in games else None for number in iterations],
    )


def _flat(settings: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """`{"train": {"batch": 8}}` → `{"train.batch": "8"}`."""
    flat: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = str(value)
    return flat
