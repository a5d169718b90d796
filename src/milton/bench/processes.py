"""The processes of this machine by Linux's /proc: parents, and the processor time of each."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Process:
    parent: int
    has_ended: bool  # and nobody has asked for its exit code yet
    seconds: float  # of processor time


def processes() -> dict[int, Process]:
    """By process number; empty where there is no /proc."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            # "pid (name) state ppid …": the name may contain anything but ends with the last parenthesis.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            ticks = int(fields[11]) + int(fields[12])
            found[int(entry.name)] = Process(
                int(fields[1]), fields[0] == "Z", ticks / os.sysconf("SC_CLK_TCK")
            )
    return found


def seconds_of_descendants(pid: int) -> float:
    """Processor time of all processes below one; those that have ended do not count."""
    known = processes()
    family: set[int] = set()
    found = {pid}
    while found:
        family |= found
        found = {number for number, process in known.items() if process.parent in family} - family
    return sum(known[number].seconds for number in family - {pid})
