"""Two loops never share a run folder, and a dead owner does not block the next."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from milton.config import Settings
from milton.errors import RunError
from milton.rundir import RunDir, lock_owner

HOLD = """
import sys
from pathlib import Path
from milton.rundir import RunDir
run = RunDir.open(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_writer_is_refused_and_readers_are_not(run: RunDir) -> None:
    with pytest.raises(RunError, match="in use by process"):
        RunDir.open(run.path)
    with RunDir.open(run.path, writable=False) as reader:
        assert reader.summary().running_pid is not None


def test_the_lock_dies_with_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "run"
    RunDir.create(path, Settings.profile("any-game-quick")).close()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert lock_owner(path / ".lock") == other.pid
        with pytest.raises(RunError, match=str(other.pid)):
            RunDir.open(path)
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert lock_owner(path / ".lock") is None
    RunDir.open(path).close()
