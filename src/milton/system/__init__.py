"""What differs between operating systems: locks on files, memory, load, cores; and what a terminal
may be shown. Knows nothing of Milton."""

from .cores import LentCore, keep_to_cores
from .file_lock import SAFE_OPEN, try_lock, wait_for_lock
from .load import load_average
from .memory import (
    limit_memory,
    peak_memory_mb,
    physical_memory_mb,
    resident_memory_mb,
    return_freed_memory,
)
from .terminal import shown_text

__all__ = [
    "SAFE_OPEN",
    "LentCore",
    "keep_to_cores",
    "limit_memory",
    "load_average",
    "peak_memory_mb",
    "physical_memory_mb",
    "resident_memory_mb",
    "return_freed_memory",
    "shown_text",
    "try_lock",
    "wait_for_lock",
]
