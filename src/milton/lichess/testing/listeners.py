"""Streams of the fake Lichess: who listens, and what faults make of the lines. Knows no HTTP."""

import asyncio
import json
from enum import Enum

from .faults import Fault, Faults

Json = dict[str, object]


class End(Enum):
    """Of a connection."""

    PROPER = "proper"
    CUT = "cut"


Line = str | End


class Listeners:
    """The open connections of one stream. A line goes to all of them, with the faults of its endpoint."""

    def __init__(self, endpoint: str, faults: Faults) -> None:
        self._endpoint = endpoint
        self._faults = faults
        self._queues: set[asyncio.Queue[Line]] = set()
        self._last_line: str | None = None

    def join(self) -> asyncio.Queue[Line]:
        """As on Lichess, a new connection ends the one before."""
        self.close()
        queue: asyncio.Queue[Line] = asyncio.Queue()
        self._queues.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[Line]) -> None:
        self._queues.discard(queue)

    def close(self) -> None:
        for queue in self._queues:
            queue.put_nowait(End.PROPER)
        self._queues.clear()

    def send(self, values: Json) -> None:
        line = json.dumps(values)
        for queue in tuple(self._queues):
            for sent in self._distorted(line, values):
                queue.put_nowait(sent)
        self._last_line = line

    def _distorted(self, line: str, values: Json) -> list[Line]:
        strikes = self._faults.strikes
        lines: list[Line] = [line]
        if strikes(Fault.UNKNOWN_KIND, self._endpoint):
            lines.insert(0, json.dumps({"type": "weather", "rain": True}))
        if strikes(Fault.DUPLICATE_LINE, self._endpoint):
            lines.append(line)
        if strikes(Fault.OLD_LINE, self._endpoint) and self._last_line is not None:
            lines.append(self._last_line)
        if strikes(Fault.MALFORMED_LINE, self._endpoint):
            lines = [line[: len(line) // 2]]
        if strikes(Fault.MISSING_FIELD, self._endpoint):
            lines = [json.dumps({"type": values["type"], "comment": len(line)})]
        if strikes(Fault.DROP_STREAM, self._endpoint):
            lines = [End.CUT]
        return lines
