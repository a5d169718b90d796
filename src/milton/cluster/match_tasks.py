"""A match cut into tasks that workers play: what is out, what is lost, what is done. Knows no Ray.

Tasks shrink towards the end, so that nobody waits long for the last; one that is out far too long is given
to a second worker, and whoever is first counts.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from milton.arena import MatchGame

# A task is late when it takes this many times as long as the others, and at least this much longer.
_LATE_FACTOR, _LATE_S = 3.0, 2.0


@dataclass(slots=True, eq=False)
class MatchTask:
    pairs: tuple[int, ...]  # indices of openings
    started_s: float = field(default_factory=time.monotonic)
    was_copied: bool = False


class MatchTasks:
    def __init__(self, num_pairs: int) -> None:
        self._waiting = list(range(num_pairs))
        self._made: set[MatchTask] = set()  # every task of this match
        self._out: list[MatchTask] = []
        self._games: dict[int, tuple[MatchGame, MatchGame]] = {}
        self._num_pairs = num_pairs
        self._seconds_a_pair: list[float] = []

    def next_task(self, threads: int, num_workers: int, now: float) -> MatchTask | None:
        """Something for a worker to do: a part of what waits, or a copy of what is late."""
        if self._waiting:
            fair = -(-len(self._waiting) // (2 * max(1, num_workers)))
            size = max(-(-threads // 2), fair)
            task = MatchTask(tuple(self._waiting[:size]), now)
            del self._waiting[:size]
        else:
            late = next((task for task in self._out if self._is_late(task, now)), None)
            if late is None:
                return None
            late.was_copied = True
            task = MatchTask(late.pairs, now, was_copied=True)
        self._made.add(task)
        self._out.append(task)
        return task

    def _is_late(self, task: MatchTask, now: float) -> bool:
        if task.was_copied or not self._seconds_a_pair:
            return False
        expected_s = max(self._seconds_a_pair) * len(task.pairs)
        return now - task.started_s > max(_LATE_FACTOR * expected_s, _LATE_S)

    def return_task(self, task: MatchTask) -> None:
        """Its worker is lost or silent: another must play what no other worker is playing yet."""
        if task in self._out:
            self._out.remove(task)
            held = {pair for other in self._out for pair in other.pairs}
            self._waiting += [pair for pair in task.pairs if pair not in held and pair not in self._games]
            self._waiting.sort()

    def finish(self, task: MatchTask, games: Sequence[MatchGame], now: float) -> None:
        """Two games a pair in order. Pairs that somebody else finished first stay as they are.

        A copy may come back after its match is over; another match has no use for it.
        """
        if task not in self._made:
            return
        if task in self._out:
            self._out.remove(task)
        self._seconds_a_pair.append((now - task.started_s) / len(task.pairs))
        for pair, first, second in zip(task.pairs, games[0::2], games[1::2], strict=True):
            self._games.setdefault(pair, (first, second))
        self._waiting = [pair for pair in self._waiting if pair not in self._games]

    @property
    def num_played(self) -> int:
        return 2 * len(self._games)

    @property
    def is_complete(self) -> bool:
        return len(self._games) == self._num_pairs

    def games(self) -> list[MatchGame]:
        return [game for pair in range(self._num_pairs) for game in self._games[pair]]
