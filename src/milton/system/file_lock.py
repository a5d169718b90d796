"""Locks on open files, on every system. A lock ends with its process, however that ends. Knows no runs."""

import os
import sys

# No symbolic links, and not handed on to child processes; Windows has neither choice.
SAFE_OPEN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    # Windows keeps others from reading what is locked, so the lock is on a byte that no file has.
    _LOCKED_BYTE = 1 << 30

    def try_lock(descriptor: int, *, shared: bool = False) -> None:  # noqa: ARG001 -- always exclusive here
        """Takes the lock; OSError if another process holds it."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def wait_for_lock(descriptor: int) -> None:
        """Takes the lock, however long that takes."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # gives up after ten seconds
            except OSError:
                continue
            return

else:
    import fcntl

    def try_lock(descriptor: int, *, shared: bool = False) -> None:
        """Takes the lock; OSError if another process holds it."""
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def wait_for_lock(descriptor: int) -> None:
        """Takes the lock, however long that takes."""
        fcntl.flock(descriptor, fcntl.LOCK_EX)
