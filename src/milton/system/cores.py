"""Which cores the threads of a process may use: CPU affinity. Linux; elsewhere nothing happens."""

import os
from collections.abc import Set
from contextlib import suppress
from pathlib import Path

_MOST_PASSES = 10


def keep_to_cores(num_cores: int) -> None:
    """Holds this thread and those that it starts to so many cores, whatever libraries do."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-num_cores:])


class LentCore:
    """The last of this process's cores, for another process alone. On a single core both share it.

    Nothing is left behind by a kill: affinity ends with the threads that have it.
    """

    def __init__(self, process: int) -> None:
        """`process` has just been started: what it starts from now on keeps to the core, too."""
        self._all: Set[int] = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
        self._kept = self._all - {max(self._all)} if len(self._all) > 1 else self._all
        if self._kept != self._all:
            with suppress(OSError):  # it has ended, or the system forbids it
                os.sched_setaffinity(process, self._all - self._kept)
                _move_threads(self._all, self._kept)

    def take_back(self) -> None:
        """May be called again."""
        if self._kept != self._all:
            _move_threads(self._kept, self._all)


def _move_threads(before: Set[int], after: Set[int]) -> None:
    """All threads of this process that had the cores `before`; those held to others stay where they are."""
    for _ in range(_MOST_PASSES):  # a thread that starts meanwhile has the cores of the one that starts it
        found = [thread for thread in _threads() if _cores_of(thread) == before]
        if not found:
            return
        for thread in found:
            with suppress(OSError):  # it has ended
                os.sched_setaffinity(thread, after)


def _threads() -> list[int]:
    return [int(entry.name) for entry in Path("/proc/self/task").iterdir()]


def _cores_of(thread: int) -> Set[int]:
    with suppress(OSError):
        return os.sched_getaffinity(thread)
    return set()
