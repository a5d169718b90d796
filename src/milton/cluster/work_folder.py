"""Where a worker or a private cluster keeps its files while it lives. Many are killed, so the next one
on the machine removes the folders of those that are gone, and ends servers of Ray that outlived them."""

import os
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path

from milton.system import SAFE_OPEN, try_lock, wait_for_lock

_PREFIX = "milton-worker-"
_LOCK = ".milton-lock"


class WorkFolder:
    """A folder of its own, marked as in use by a lock that ends with the process."""

    def __init__(self, prefix: str = _PREFIX, parent: str | None = None) -> None:
        _clear_up(Path(parent or tempfile.gettempdir()), prefix)
        self.path = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent))
        self._lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | SAFE_OPEN)
        wait_for_lock(self._lock)

    def close(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _clear_up(parent: Path, prefix: str) -> None:
    """Removes our folders whose lock is free; one that has no lock yet is being created."""
    for folder in parent.glob(f"{prefix}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | SAFE_OPEN)
        except OSError:
            continue  # being made, gone already, or somebody else's
        try:
            try_lock(lock)
            _end_servers(folder)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # in use
            continue
        finally:
            os.close(lock)


def _end_servers(folder: Path) -> None:
    """Kills processes of Ray that keep their files in a folder whose owner is gone (Linux).

    Ray's servers do not notice that the process which started them was killed.
    """
    inside = f"{folder}/".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # ended meanwhile
            words = (entry / "cmdline").read_bytes()
            if inside in words and b"/ray/" in words and entry.stat().st_uid == os.getuid():
                os.kill(int(entry.name), signal.SIGKILL)
