"""Checks of the machine: Python, cores, memory, disk. Knows nothing about libraries."""

import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from milton.cli.checks.check import Check
from milton.system import physical_memory_mb

# Training and self-play of the default settings stay below this.
COMFORTABLE_MEMORY_GB = 4.0
# Room for a day's shards and checkpoints.
COMFORTABLE_DISK_GB = 5.0
OLDEST_PYTHON = (3, 11)


def check_python() -> Check:
    detail = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", "failed", detail, "use Python 3.11 or newer")
    return Check("python", "ok", detail)


def usable_cores() -> int:
    """Cores this process may use: fewer than the machine has in containers and under taskset."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_cores() -> Check:
    return Check("cores", "ok", f"{usable_cores()} usable of {os.cpu_count()}")


def _cgroup_limit_gb() -> float:
    limit_file = Path("/sys/fs/cgroup/memory.max")
    text = limit_file.read_text().strip() if limit_file.is_file() else "max"
    return int(text) / 1e9 if text.isdigit() else float("inf")


def available_memory_gb() -> float:
    """Memory this process could still get, in 10^9 bytes."""
    free_gb = physical_memory_mb() * (1 << 20) / 1e9  # elsewhere than on Linux: all that there is
    meminfo = Path("/proc/meminfo")
    if meminfo.is_file():
        fields = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        # Caches that the kernel gives back count as available.
        free_gb = int(fields["MemAvailable"].split()[0]) * 1024 / 1e9
    return min(free_gb, _cgroup_limit_gb())


def check_memory() -> Check:
    free_gb = available_memory_gb()
    detail = f"{free_gb:.1f} GB available"
    if free_gb < COMFORTABLE_MEMORY_GB:
        return Check(
            "memory", "warning", detail, f"close programs; training wants {COMFORTABLE_MEMORY_GB:g} GB"
        )
    return Check("memory", "ok", detail)


def check_run_folder(runs: Path) -> Check:
    """Really writes a file: permissions, read-only mounts and full disks all show."""
    folder = runs.absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.NamedTemporaryFile(dir=existing, prefix=".milton-doctor-") as probe:
            probe.write(b"probe")
            probe.flush()
    except OSError as error:
        fix = f"choose a folder you may write to, or: chown -R $USER {existing}"
        return Check("run folder", "failed", f"cannot write in {existing}: {error.strerror}", fix)
    free_gb = shutil.disk_usage(existing).free / 1e9
    detail = f"{folder} is writable, {free_gb:.1f} GB free"
    if free_gb < COMFORTABLE_DISK_GB:
        return Check("run folder", "warning", detail, "free some disk space")
    return Check("run folder", "ok", detail)
