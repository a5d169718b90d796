"""Measures how much processor time the machine leaves to the bot, and which games that is too little for.

A bot that waits a second for its turn on a core loses a game of one minute on time, however fast it thinks.
So a little work is timed now and then: how many times longer it takes than the processor needs for it.
"""

import asyncio
import time
from collections import deque
from statistics import median

# Processor time that the bot needs for a move beside the search: reading the state, starting the search,
# sending. 14 ms in a demonstration, in which the server and the opponent are part of it.
MOVE_WORK_S = 0.01
# A game that is not lost on time has so many moves of ours, and may spend this share of its clock on waiting.
MOVES = 60
LARGEST_SHARE = 0.25
PROBE_S = 0.002  # of processor time
# Noticed at once and forgotten slowly: a machine that was busy a minute ago may be busy again in the game.
NUM_PROBES = 60
NUM_LAST_PROBES = 8
CAUTIOUS_QUANTILE = 0.75
NUM_FIRST_PROBES = 3
# Less is noise of a machine that leaves enough.
SMALLEST_SLOWDOWN = 2.0


class Pace:
    """`measure` runs beside the games; the rest asks what it found."""

    def __init__(self, every_s: float | None) -> None:
        """`every_s` None measures nothing: every game is kept."""
        self._every_s = every_s
        self._slowdowns: deque[float] = deque(maxlen=NUM_PROBES)

    @property
    def move_lag_s(self) -> float:
        """What a move loses because others have the processor; 0 where it is not worth mentioning."""
        seen = list(self._slowdowns) or [1.0]
        cautious = sorted(seen)[int(CAUTIOUS_QUANTILE * (len(seen) - 1))]
        slowdown = max(median(seen[-NUM_LAST_PROBES:]), cautious)
        return MOVE_WORK_S * (slowdown - 1.0) if slowdown >= SMALLEST_SLOWDOWN else 0.0

    def can_keep(self, initial_s: float, increment_s: float) -> bool:
        """Whether a game with this clock would not be lost on time."""
        return MOVES * self.move_lag_s <= LARGEST_SHARE * (initial_s + MOVES * increment_s)

    async def begin(self) -> None:
        """Measures before the first game is accepted."""
        for _ in range(NUM_FIRST_PROBES if self._every_s is not None else 0):
            self.saw(await asyncio.to_thread(slowdown))

    async def measure(self) -> None:
        """Runs until it is cancelled."""
        while self._every_s is not None:
            await asyncio.sleep(self._every_s)
            self.saw(await asyncio.to_thread(slowdown))

    def saw(self, slowdown: float) -> None:
        self._slowdowns.append(slowdown)


def slowdown() -> float:
    """How many times longer a little work takes than the processor needs for it; 1 on a core of one's own."""
    begun_s, begun_work_s = time.perf_counter(), time.thread_time()
    while (work_s := time.thread_time() - begun_work_s) < PROBE_S:
        pass
    return max(1.0, (time.perf_counter() - begun_s) / work_s)
