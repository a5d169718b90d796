"""The rate limit of one endpoint: one request at a time, and none before the server allows it. Knows no HTTP.

A limit is remembered where it was met, so that a 429 on one game's moves holds up neither other games nor
challenges.
"""

import asyncio
import time
from types import TracebackType

from .timing import Timing

LONGEST_WAIT_S = 24 * 3600.0  # Lichess counts by days at most; whatever says more is nonsense


class Throttle:
    """`async with throttle` for the one request under way; `closed_for_s` before each attempt."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._lock = asyncio.Lock()
        self._opens_at = 0.0
        self._next_penalty_s = timing.rate_limit_first_s

    async def __aenter__(self) -> None:
        await self._lock.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    @property
    def closed_for_s(self) -> float:
        return max(0.0, self._opens_at - time.monotonic())

    def close(self, asked_s: float | None) -> float:
        """After a 429: for as long as the server asked, else a minute, then two, up to ten. Returns it.

        Never not at all: a server that asks for no wait would be asked again without end.
        """
        wait_s = asked_s
        if wait_s is None:
            wait_s = self._next_penalty_s
            self._next_penalty_s = min(2 * wait_s, self._timing.rate_limit_most_s)
        wait_s = min(max(wait_s, self._timing.retry_first_s), LONGEST_WAIT_S)
        self._opens_at = time.monotonic() + wait_s
        return wait_s

    def succeeded(self) -> None:
        self._next_penalty_s = self._timing.rate_limit_first_s
