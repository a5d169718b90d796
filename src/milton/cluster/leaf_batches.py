"""Many callers' rows -> batches with a size and a time limit -> each caller's rows of the answer.

A thread of its own does the work, one batch after the other: while one is evaluated the next one fills up,
so that under load batches grow by themselves and the time limit matters only to the first in a quiet moment.
Knows no Ray, no network and no game: what a batch means is a function that the caller names.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from milton.errors import ArgumentError

Rows = npt.NDArray[Any]
Answer = tuple[
    Rows | None, ...
]  # parts with one row for each row asked, or None for a part that is not there
BatchFunction = Callable[[Rows], Answer]


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """When a batch is closed: at `max_rows`, or when its first request has waited for `max_wait_s`."""

    max_rows: int = 256
    max_wait_s: float = 0.0  # why no wait is the default: docs/cluster.md, "Inference servers"

    def __post_init__(self) -> None:
        if self.max_rows < 1 or not 0.0 <= self.max_wait_s <= 1.0:
            raise ArgumentError(
                f"expected batches of 1 row or more and a wait of 0 to 1 s, got {self.max_rows} rows and "
                f"{self.max_wait_s} s"
            )


@dataclass(slots=True)
class BatchFigures:
    """What was done so far."""

    num_requests: int = 0
    num_rows: int = 0
    num_batches: int = 0
    busy_s: float = 0.0


@dataclass(frozen=True, slots=True)
class _Request:
    function: BatchFunction
    rows: Rows
    arrived_s: float
    answer: "Future[Answer]"


class LeafBatcher:
    """Requests that name the same function share batches. `submit` may be called from any thread."""

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._figures = BatchFigures()
        self._waiting: deque[_Request] = deque()
        self._is_closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="leaf-batches", daemon=True)
        self._thread.start()

    @property
    def figures(self) -> BatchFigures:
        return self._figures

    def submit(self, function: BatchFunction, rows: Rows) -> "Future[Answer]":
        """`rows` must not be empty; a request is never divided, so a large one is a batch of its own."""
        if len(rows) == 0:
            raise ArgumentError("expected at least one row, got none")
        request = _Request(function, rows, time.monotonic(), Future())
        with self._changed:
            if self._is_closed:
                raise ArgumentError("expected an open batcher, got one that is closed")
            self._waiting.append(request)
            self._changed.notify()
        return request.answer

    def close(self) -> None:
        """Answers what waits, then stops."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _work(self) -> None:
        while batch := self._next_batch():
            started = time.monotonic()
            _answer([request for request in batch if request.answer.set_running_or_notify_cancel()])
            self._figures.busy_s += time.monotonic() - started
            self._figures.num_batches += 1
            self._figures.num_requests += len(batch)
            self._figures.num_rows += sum(len(request.rows) for request in batch)

    def _next_batch(self) -> list[_Request]:
        """Empty when the batcher was closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if not self._waiting:
                return []
            close_at = self._waiting[0].arrived_s + self._limits.max_wait_s
            self._changed.wait_for(
                lambda: self._is_closed or self._num_ready() >= self._limits.max_rows,
                timeout=close_at - time.monotonic(),
            )
            return self._take()

    def _num_ready(self) -> int:
        function = self._waiting[0].function
        return sum(len(request.rows) for request in self._waiting if request.function is function)

    def _take(self) -> list[_Request]:
        """The oldest request and those behind it that fit; the others keep their order."""
        first = self._waiting.popleft()
        batch, left_over, num_rows = [first], deque[_Request](), len(first.rows)
        for request in self._waiting:
            if request.function is first.function and num_rows + len(request.rows) <= self._limits.max_rows:
                batch.append(request)
                num_rows += len(request.rows)
            else:
                left_over.append(request)
        self._waiting = left_over
        return batch


def _answer(batch: list[_Request]) -> None:
    """Every request gets an answer or an error; one that spoils its batch fails alone."""
    if not batch:
        return
    try:
        parts = batch[0].function(np.concatenate([request.rows for request in batch]))
    except Exception as error:  # noqa: BLE001 -- passed on to the caller
        if len(batch) == 1:
            batch[0].answer.set_exception(error)
            return
        for request in batch:
            _answer([request])
        return
    start = 0
    for request in batch:
        end = start + len(request.rows)
        request.answer.set_result(tuple(None if part is None else part[start:end] for part in parts))
        start = end
