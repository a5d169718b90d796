"""What the page's stream of a long run costs the server: connecting, and polling."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from milton.bench.measurement import Measurement
from milton.config import Settings
from milton.rundir import PROGRESS_KEY, GamesRecord, RatingRecord, RunDir, StageRecord
from milton.webapi.run_feed import RunFeed
from milton.webapi.served_run import ServedRun

_NUM_POLLS = 40


def measure_run_feed(quick: bool) -> Iterator[Measurement]:
    num_iterations = 50 if quick else 1_000
    with (
        tempfile.TemporaryDirectory() as folder,
        RunDir.create(Path(folder) / "run", Settings.profile("any-game-quick")) as run,
    ):
        _fill(run, num_iterations)
        feed = RunFeed(ServedRun(run.path).path, "")
        sizes: list[int] = []
        connect_ms = _cpu_ms(lambda: sizes.extend(len(message.model_dump_json()) for message in feed.poll()))
        changed_ms = [_poll_after_change(feed, run, number) for number in range(_NUM_POLLS)]
        idle_ms = [_cpu_ms(feed.poll) for _ in range(_NUM_POLLS)]
        feed.close()
    how = f"{num_iterations:,} iterations, processor time"
    yield Measurement("run feed: connecting", connect_ms, "ms", how)
    yield Measurement("run feed: first answer", sum(sizes), "bytes", f"{len(sizes)} messages")
    yield Measurement("run feed: polling after a change", median(changed_ms), "ms", how)
    yield Measurement("run feed: polling without a change", median(idle_ms), "ms", how)


def _fill(run: RunDir, num_iterations: int) -> None:
    """The rows that finished iterations leave."""
    database = run.database
    with database.transaction():
        for number in range(1, num_iterations + 1):
            for stage in ("selfplay", "train", "arena", "ladder"):
                database.add_stage(StageRecord(number, stage, number * 10.0, number * 10.0 + 1))
            database.add_metrics(number, {f"train/{index}": 0.5 for index in range(26)})
            database.add_games(GamesRecord(number, "selfplay", 10, 400, 4, 2, 4, 10, {"checkmate": 8}))
            database.add_rating(RatingRecord(number, "arena", "a", "b", 5, 1, 4, 35.0, -100.0, 200.0))


def _poll_after_change(feed: RunFeed, run: RunDir, number: int) -> float:
    run.database.set_state(PROGRESS_KEY, {"updated_s": time.time(), "num_games": number})
    return _cpu_ms(feed.poll)


def _cpu_ms(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000
