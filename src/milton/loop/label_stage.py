"""The stage that gives positions better values to learn from: short alpha-beta searches with the champion.

The tree searches of self-play average over many moves, and results of games are mostly chance; a small
alpha-beta search of each position says more (docs/experiments.md, "Values by alpha-beta").
"""

import time

from milton.replay import labels_path
from milton.training import can_label, has_labels, label_shard

from .context import Context
from .tidy import outside_window

STAGE = "label"


def label_stage(context: Context, iteration: int) -> None:
    """Labels the shards of the window that have no labels yet: usually the newest one, all of them at first.

    A shard is labelled whole or not at all, so a killed stage resumes with the shards that are left.
    """
    run, settings = context.run, context.settings
    nodes = settings.train.label_nodes
    started_s = time.time()
    if nodes == 0 or not can_label(settings):
        run.record_stage(iteration, STAGE, started_s=started_s, result={"skipped": True})
        return
    left_out = set(outside_window(context))
    paths = [path for number, path in run.shard_paths() if number not in left_out and not has_labels(path)]
    counts = {record.iteration: record.num_positions for record in run.database.games("selfplay")}
    total = sum(counts.get(number, 0) for number, path in run.shard_paths() if path in paths)
    context.begin(iteration, "labels", total, "positions")
    num_done = 0
    clock = time.perf_counter()
    for path in paths:
        num_before = num_done

        def on_positions(count: int, num_before: int = num_before) -> None:
            context.progress(min(total, num_before + count), f"{nodes} nodes each")

        num_done += label_shard(
            path,
            run.champion_checkpoint(),
            nodes=nodes,
            threads=context.threads,
            on_positions=on_positions,
        )
    newest = labels_path(run.shard_path(iteration))
    written = {labels_path(path) for path in paths} | ({newest} if newest.is_file() else set())
    run.record_stage(
        iteration,
        STAGE,
        started_s=started_s,
        artifacts=sorted(written),
        result={"positions": num_done, "nodes": nodes, "network": context.champion_name()},
    )
    if num_done:
        rate = num_done / (time.perf_counter() - clock)
        context.finish(
            f"iteration {iteration}: labelled {num_done:,} positions by alpha-beta, {nodes} nodes each, "
            f"{rate:,.0f} positions/s"
        )
