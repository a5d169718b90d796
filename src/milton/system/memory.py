"""Memory of this process and of the machine, as far as the system reports it."""

import ctypes
import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

_MB = 1 << 20
_STATM = Path("/proc/self/statm")  # Linux; in pages: all that is mapped, then what is resident


def peak_memory_mb() -> float:
    """Largest resident memory so far; 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak / (_MB if sys.platform == "darwin" else 1 << 10))


def resident_memory_mb() -> float:
    """Resident memory now; the peak where the system reports nothing else."""
    pages = _pages(1)
    return peak_memory_mb() if pages is None else pages / _MB


def return_freed_memory() -> None:
    """Gives memory that was freed back to the system, where its C library would keep it (glibc)."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:  # musl has none, and keeps little
            trim(0)


def limit_memory(more_mb: int) -> bool:
    """Lets this process map only so much more from now on; whether the system can do that."""
    mapped = _pages(0)
    if sys.platform == "win32" or mapped is None:
        return False
    limit = mapped + more_mb * _MB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return True


def _pages(column: int) -> int | None:
    """A number of `_STATM`, in bytes."""
    if sys.platform == "win32":
        return None
    try:
        return int(_STATM.read_text().split()[column]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return None


def physical_memory_mb() -> int:
    """Memory of the whole machine."""
    if sys.platform == "win32":
        kilobytes = ctypes.c_ulonglong()
        ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
        return kilobytes.value // 1024
    return int(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // _MB)
