"""One writer per run folder. The system releases the lock when its owner dies, however it dies."""

import os
import time
from pathlib import Path

from milton.errors import RunError
from milton.system import SAFE_OPEN, try_lock

from .atomic import explain_os_error

# `lock_owner` holds the lock for a moment to see whether it is free; a writer waits that moment out.
_ATTEMPTS = 5
_PAUSE_S = 0.02


class RunLock:
    """Held from construction to `release`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            # No symbolic link: a run from elsewhere could point it at any file, and it is truncated below.
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | SAFE_OPEN, 0o644)
        except OSError as error:
            raise explain_os_error(error, path) from error
        try:
            self._take()
        except OSError as error:
            owner = _written_in(self._descriptor)
            os.close(self._descriptor)
            raise RunError(
                f"run folder {str(path.parent)!r} is in use by process {owner or 'unknown'}; "
                "stop that one first, or choose another folder with --run"
            ) from error
        try:
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"{os.getpid()}\n".encode())
        except OSError as error:
            self.release()
            raise explain_os_error(error, path) from error

    def _take(self) -> None:
        for attempt in range(_ATTEMPTS):
            try:
                try_lock(self._descriptor)
            except OSError:
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(_PAUSE_S)
            else:
                return

    def release(self) -> None:
        # The file stays: removing it would let two processes lock two different files of the same name.
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def lock_owner(path: Path) -> int | None:
    """The process that holds the lock, or None if nobody does."""
    try:
        descriptor = os.open(path, os.O_RDONLY | SAFE_OPEN)
    except OSError:
        return None
    try:
        try_lock(descriptor, shared=True)
    except OSError:
        text = _written_in(descriptor)
        return int(text) if text.isascii() and text.isdigit() else 0
    else:
        return None
    finally:
        os.close(descriptor)


def _written_in(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 32).decode(errors="replace").strip()
