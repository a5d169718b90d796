"""Runs a command of milton as on Windows, as far as Python can tell: without what only POSIX has.

Locks are those of this system, behind the function that Windows has for them.
"""

import fcntl
import os
import sys
from types import ModuleType, SimpleNamespace

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
FUNCTIONS = """
    O_CLOEXEC O_DIRECTORY O_NOFOLLOW fchmod fork geteuid getloadavg getuid killpg nice pread pwrite
    sched_getaffinity sched_setaffinity setsid sysconf
"""


def main() -> None:
    import asyncio  # noqa: F401 -- the standard library decides by the system while it is imported
    import ctypes
    import subprocess  # noqa: F401

    msvcrt = ModuleType("msvcrt")
    msvcrt.LK_NBLCK, msvcrt.LK_LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB, fcntl.LOCK_EX
    msvcrt.locking = lambda descriptor, mode, _num_bytes: fcntl.flock(descriptor, mode)
    ctypes.windll = SimpleNamespace(
        kernel32=SimpleNamespace(GetPhysicallyInstalledSystemMemory=_eight_gigabytes)
    )
    sys.modules |= dict.fromkeys(MODULES) | {"msvcrt": msvcrt}
    for name in FUNCTIONS.split():
        if hasattr(os, name):
            delattr(os, name)
    windows = SimpleNamespace(platform="win32")
    here, sys.platform = sys.platform, windows.platform
    from milton.system import file_lock, memory

    sys.platform = here  # the standard library goes on as on this system
    file_lock.sys = memory.sys = windows
    from milton.cli import main as milton

    milton()


def _eight_gigabytes(kilobytes) -> None:
    kilobytes._obj.value = 8 << 20


if __name__ == "__main__":
    main()
