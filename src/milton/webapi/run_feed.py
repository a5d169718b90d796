"""The stream of a run's events: a snapshot first, then what changes. A page that comes back gets the truth.

Every watcher reads for itself and remembers only how far it has got; nothing is kept between connections.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fastapi.sse import ServerSentEvent
from starlette.concurrency import run_in_threadpool

from milton.errors import MiltonError, RequestError
from milton.rundir import RunDir
from milton.webapi.play_messages import StreamProblem
from milton.webapi.problems import stream_problem
from milton.webapi.run_messages import (
    IterationRow,
    IterationsMessage,
    LiveMessage,
    NotesMessage,
    RunMessage,
    RunSnapshot,
    SnapshotMessage,
)
from milton.webapi.run_reader import MAX_ROWS, iteration_rows, snapshot
from milton.webapi.wire import Wire

POLL_INTERVAL_S = 0.5
MAX_WATCHERS = 24


class Watchers:
    """Keeps the number of open streams within bounds. Used by the event loop's thread only."""

    def __init__(self) -> None:
        self.number = 0

    @contextmanager
    def feed(self, find: Callable[[], Path], last_event_id: str) -> Iterator["RunFeed"]:
        if self.number >= MAX_WATCHERS:
            raise RequestError(
                f"{self.number} pages are watching, as many as this server allows at once",
                status=429,
                hint="Close another page.",
            )
        self.number += 1
        feed = RunFeed(find, last_event_id)
        try:
            yield feed
        finally:
            self.number -= 1
            feed.close()


class RunFeed:
    """What one watcher has not seen yet.

    `find` tells the folder of the run, or refuses while there is none; `last_event_id` is the last event that
    the watcher got, or ''.
    """

    def __init__(self, find: Callable[[], Path], last_event_id: str) -> None:
        self._find = find
        self._last_event_id = last_event_id
        self._run: RunDir | None = None
        self._stamp: tuple[tuple[int, int], int | None] | None = None  # of what was last read
        self._inode = 0
        self._seen: RunSnapshot | None = None
        self._problem: StreamProblem | None = None
        self._next = 1  # older iterations were sent and do not change any more
        self._newest: IterationRow | None = None  # as it was last sent

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Endless; the reader decides when to stop."""
        while True:
            for message in await run_in_threadpool(self.poll):
                yield ServerSentEvent(data=message, id=self._event_id(message))
            await asyncio.sleep(POLL_INTERVAL_S)

    def poll(self) -> list[Wire]:
        """Messages about what has changed since the last call."""
        try:
            run = self._open()
            stamp = (run.database.version(), run.running_pid())
            if stamp == self._stamp:
                return []
            found = snapshot(run)
            messages = self._news(run, found)
        except MiltonError as error:
            return self._failed(error)
        self._stamp, self._seen, self._problem = stamp, found, None
        return messages

    def close(self) -> None:
        if self._run is not None:
            self._run.close()
            self._run = None

    def _open(self) -> RunDir:
        """Reopens a run whose database was replaced; the old connection would show the old file for ever."""
        if self._run is not None and self._run.database.version()[0] != self._inode:
            self.close()
        if self._run is None:
            self._run = RunDir.open(self._find(), writable=False)
            self._inode = self._run.database.version()[0]
        return self._run

    def _news(self, run: RunDir, found: RunSnapshot) -> list[Wire]:
        """Rows before the view that speaks of them; only a snapshot goes before everything."""
        if self._seen is None or self._seen.run_id != found.run_id:
            self._next, self._newest = self._first_missing(found.run_id), None
            return [SnapshotMessage(**dict(found)), *self._new_rows(run, found)]
        return [*self._new_rows(run, found), *_changes(self._seen, found)]

    def _first_missing(self, run_id: str) -> int:
        """Where a returning watcher resumes: at the last row it has, which may have grown."""
        known_id, _, number = self._last_event_id.rpartition(":")
        return int(number) if known_id == run_id and number.isdecimal() and len(number) < 10 else 1

    def _new_rows(self, run: RunDir, found: RunSnapshot) -> Iterator[Wire]:
        """The loop works on the newest iteration only, so rows before it are sent once."""
        latest = found.run.latest_iteration
        for first in range(min(self._next, latest), latest + 1, MAX_ROWS):
            rows = iteration_rows(run, first, first + MAX_ROWS - 1)
            if rows and rows != [self._newest]:
                yield IterationsMessage(iterations=rows)
                self._newest = rows[-1]
        self._next = max(1, latest)

    def _event_id(self, message: Wire) -> str | None:
        """Only rows have an id: everything else is sent again with the snapshot."""
        if isinstance(message, IterationsMessage) and self._seen is not None:
            return f"{self._seen.run_id}:{message.iterations[-1].iteration}"
        return None

    def _failed(self, error: MiltonError) -> list[Wire]:
        """Told once; the next poll tries again from the beginning."""
        self.close()
        self._seen = self._stamp = None
        problem = stream_problem(error)
        is_known, self._problem = problem == self._problem, problem
        return [] if is_known else [problem]


def _changes(seen: RunSnapshot, found: RunSnapshot) -> Iterator[Wire]:
    if found.run != seen.run:
        yield RunMessage(run=found.run)
    if found.live is not None and found.live != seen.live:
        yield LiveMessage(live=found.live)
    last_s = max((note.time_s for note in seen.notes), default=0.0)
    fresh = [note for note in found.notes if note.time_s > last_s]
    if fresh:
        yield NotesMessage(notes=fresh)
