"""Measures the stream of run events on a run of many iterations.

Usage: python scripts/measure_feed.py [1000]
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from milton.config import Settings
from milton.rundir import GamesRecord, RatingRecord, RunDir, StageRecord
from milton.webapi.run_feed import RunFeed
from milton.webapi.served_run import ServedRun

NUM_POLLS = 40


def main() -> None:
    num_iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with (
        tempfile.TemporaryDirectory() as folder,
        RunDir.create(Path(folder) / "run", Settings.profile("any-game-quick")) as run,
    ):
        fill(run, num_iterations)
        feed = RunFeed(ServedRun(run.path), "")
        first: list[int] = []
        connect_ms = cpu_ms(lambda: first.extend(len(m.model_dump_json()) for m in feed.poll()))
        changed_ms = [cpu_ms(feed.poll) for number in range(NUM_POLLS) if publish(run, number)]
        idle_ms = [cpu_ms(feed.poll) for _ in range(NUM_POLLS)]
        feed.close()
    print(
        f"connect: {connect_ms:.0f} ms, {len(first)} messages, {sum(first):,} bytes, largest {max(first):,}"
    )
    print(f"poll: {median(changed_ms):.1f} ms after a change, {median(idle_ms):.2f} ms without (CPU time)")


def fill(run: RunDir, num_iterations: int) -> None:
    """The rows that finished iterations leave."""
    database = run.database
    with database.transaction():
        for number in range(1, num_iterations + 1):
            for stage in ("selfplay", "train", "arena", "ladder"):
                database.add_stage(StageRecord(number, stage, number * 10.0, number * 10.0 + 1))
            database.add_metrics(number, {f"train/{index}": 0.5 for index in range(26)})
            database.add_games(GamesRecord(number, "selfplay", 10, 400, 4, 2, 4, 10, {"checkmate": 8}))
            database.add_rating(RatingRecord(number, "arena", "a", "b", 5, 1, 4, 35.0, -100.0, 200.0))


def publish(run: RunDir, number: int) -> bool:
    run.database.set_state("progress", {"updated_s": time.time(), "num_games": number})
    return True


def cpu_ms(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


if __name__ == "__main__":
    main()
