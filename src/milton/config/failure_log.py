"""Keeps the traceback of an unexpected error in a file in the user's folder. Prints nothing."""

import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from milton.system import SAFE_OPEN

from .layers import user_file

LOG_NAME = "failures.log"
MOST_BYTES = 4 << 20  # beyond this a new file begins; the last one is kept as failures.log.1


def log_failure(error: BaseException) -> Path | None:
    """Appends the traceback, and returns the file; None if it could not be written anywhere."""
    text = "".join(traceback.format_exception(error))
    head = f"\n{time.strftime('%Y-%m-%d %H:%M:%S %z')} process {os.getpid()}: {' '.join(sys.argv)[:500]}\n"
    user = os.getuid() if hasattr(os, "getuid") else "user"  # Windows has a folder for each user
    for folder in (user_file().parent, Path(tempfile.gettempdir()) / f"milton-{user}"):
        path = folder / LOG_NAME
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size > MOST_BYTES:
                path.replace(path.with_name(f"{LOG_NAME}.1"))
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | SAFE_OPEN
            with os.fdopen(os.open(path, flags, 0o600), "a", encoding="utf-8", errors="replace") as file:
                file.write(head + text)
        except OSError:
            continue
        return path
    return None
