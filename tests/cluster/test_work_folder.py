"""Folders of workers and private clusters: whoever comes next removes those of processes that were killed."""

import subprocess
import sys
from pathlib import Path

from milton.cluster.work_folder import WorkFolder

HOLD = (
    "import sys, time\n"
    "from milton.cluster.work_folder import WorkFolder\n"
    "print(WorkFolder('mr-', sys.argv[1]).path, flush=True)\n"
    "time.sleep(600)\n"
)


def hold(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process with a folder of its own."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(parent)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_folder_of_a_killed_process_is_removed_by_the_next_start(tmp_path):
    living, kept = hold(tmp_path)
    killed, left_behind = hold(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".milton-lock").touch()
    (tmp_path / "mr-link").symlink_to(elsewhere)
    try:
        killed.kill()
        killed.wait()
        assert left_behind.is_dir()
        folder = WorkFolder("mr-", str(tmp_path))
        assert not left_behind.exists()
        assert kept.is_dir(), "its process lives"
        assert elsewhere.is_dir(), "a link is not followed"
        folder.close()
        assert not folder.path.exists()
    finally:
        living.kill()
        living.wait()
