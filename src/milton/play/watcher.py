"""Tells how a search is doing: at intervals, after iterations and whenever another move looks best."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from milton.play.choice import Analysis

OnInfo = Callable[[Analysis], None]

LOOK_INTERVAL_S = 0.05
REPORT_INTERVAL_S = 1.0


@contextmanager
def watching(
    analysis: Callable[[], Analysis],
    on_info: OnInfo | None,
    interval_s: float = REPORT_INTERVAL_S,
    finished: Callable[[], Sequence[Analysis]] = tuple,
) -> Iterator[None]:
    """Watches while the body runs; when it is left, `on_info` has been called for the last time.

    It hears of each of the iterations that `finished` hands out, also of those between two looks.
    """
    if on_info is None:
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(
        target=_watch, args=(analysis, on_info, interval_s, finished, done), name="watcher"
    )
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(
    analysis: Callable[[], Analysis],
    on_info: OnInfo,
    interval_s: float,
    finished: Callable[[], Sequence[Analysis]],
    done: threading.Event,
) -> None:
    best_move: str | None = None
    depth = 0.0
    last_report = time.perf_counter()
    is_over = False
    while not is_over:
        is_over = done.wait(LOOK_INTERVAL_S)
        for iteration in finished():
            if iteration.best is not None and iteration.depth > depth:
                best_move, depth, last_report = iteration.best.move, iteration.depth, time.perf_counter()
                on_info(iteration)
        if is_over:
            return
        found = analysis()
        if found.best is None or found.visits < 2:
            continue
        now = time.perf_counter()
        is_deeper = found.algorithm == "alphabeta" and found.depth > depth
        if is_deeper or found.best.move != best_move or now - last_report >= interval_s:
            best_move, depth, last_report = found.best.move, found.depth, now
            on_info(found)
