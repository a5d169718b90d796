"""Processes that drive engines go when the one that started them goes, however it goes."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from patience import PATIENCE_S

_PARENT = """
import os, time
from milton.rating.workers import process_pool

if __name__ == "__main__":
    with process_pool(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        time.sleep(600)
"""


def test_a_killed_parent_leaves_no_worker_behind(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent:
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)  # is there
        parent.kill()
    deadline = time.monotonic() + PATIENCE_S
    while _is_alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    was_alive = _is_alive(worker)
    if was_alive:
        with suppress(ProcessLookupError):
            os.kill(worker, 9)
    assert not was_alive


def _is_alive(pid: int) -> bool:
    """Whether it runs: an orphan that ended may wait for whoever inherited it to take note."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
