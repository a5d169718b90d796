"""Keeps a run folder small: deletes unneeded candidates and archives, and shards that left the window."""

from milton.errors import RunError
from milton.replay import labels_path, weights_path

from .context import DROPPED_KEY, Context, dropped_positions
from .practice import drop_older_archives


def tidy(context: Context, iteration: int) -> None:
    """Called when an iteration is done."""
    drop_older_archives(context.run, iteration)
    _drop_candidates(context, iteration)
    _drop_shards(context)


def _drop_candidates(context: Context, iteration: int) -> None:
    """A candidate that was not promoted stays for one iteration, or for good every `checkpoint_every`."""
    run, every = context.run, context.settings.loop.checkpoint_every
    number = iteration - 1
    champions = {record.checkpoint for record in run.database.champions()}
    path = run.candidate_path(number)
    if number < 1 or number % every == 0 or not path.is_file() or run.relative(path) in champions:
        return
    run.drop_artifact(number, "train", path)


def _drop_shards(context: Context) -> None:
    """Shards older than the window and `keep_shards_iterations` beyond it are deleted."""
    run, keep = context.run, context.settings.loop.keep_shards_iterations
    if keep == 0:
        return
    for number in outside_window(context)[:-keep]:
        record = run.database.stage(number, "selfplay")
        if record is None or not run.shard_path(number).is_file():
            continue
        # First the count, then the file: after a kill in between, the next iteration deletes the file.
        dropped = dropped_positions(run) | {number: int(record.result["positions"])}
        run.database.set_state(DROPPED_KEY, dropped)
        for path in (weights_path(run.shard_path(number)), labels_path(run.shard_path(number))):
            path.unlink(missing_ok=True)
        run.drop_artifact(number, "selfplay", run.shard_path(number))


def outside_window(context: Context) -> list[int]:
    """Iterations that no position of the window comes from, oldest first."""
    games = sorted(context.run.database.games("selfplay"), key=lambda record: record.iteration)
    size = context.window.size
    if size.iterations:
        return [record.iteration for record in games[: -size.iterations]]
    target = size.target(sum(record.num_positions for record in games))
    if target is None:
        raise RunError("the window has no size")
    inside = 0
    for index in range(len(games) - 1, -1, -1):
        if inside >= target:
            return [record.iteration for record in games[: index + 1]]
        inside += games[index].num_positions
    return []
