"""Tells how a search is doing: at intervals, after iterations and whenever another move looks best."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from milton.play.choice import Analysis

OnInfo = Callable[[Analysis], None]

LOOK_INTERVAL_S = 0.05
REPORT_INTERVAL_S = 1.0


@contextmanager
def watching(
    analysis: Callable[[], Analysis], on_info: OnInfo | None, interval_s: float = REPORT_INTERVAL_S
) -> Iterator[None]:
    """Watches while the body runs; when it is left, `on_info` has been called for the last time."""
    if on_info is None:
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(analysis, on_info, interval_s, done), name="watcher")
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(
    analysis: Callable[[], Analysis], on_info: OnInfo, interval_s: float, done: threading.Event
) -> None:
    best_move: str | None = None
    depth = 0.0
    last_report = time.perf_counter()
    while not done.wait(LOOK_INTERVAL_S):
        found = analysis()
        if found.best is None or found.visits < 2:
            continue
        now = time.perf_counter()
        is_deeper = found.algorithm == "alphabeta" and found.depth > depth
        if is_deeper or found.best.move != best_move or now - last_report >= interval_s:
            best_move, depth, last_report = found.best.move, found.depth, now
            on_info(found)
