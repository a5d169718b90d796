"""What plays needs nothing that Windows does not have."""

import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE_S

RUNNER = Path(__file__).parents[1] / "support" / "without_posix.py"


def run_without_posix(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUNNER), *arguments]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (["uci"], "setoption name Hash value 8\nposition startpos\ngo nodes 50\nisready\n", "readyok"),
        (["play", "--level", "1"], "e4\nquit\n", "your move"),
        (["doctor"], "", "memory"),
        (
            ["selfplay", "--games", "1", "--out", "{folder}/games", "--set", "selfplay.max_plies=6"],
            "",
            "1 game",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_runs_without_what_only_posix_has(arguments, typed, said, tmp_path):
    result = run_without_posix(*(text.format(folder=tmp_path) for text in arguments), typed=typed)
    assert result.returncode == 0, result.stderr
    assert said in result.stdout


def test_a_lock_keeps_a_second_writer_out(tmp_path):
    from milton.errors import RunError
    from milton.rundir import RunLock, lock_owner

    path = tmp_path / ".lock"
    held = RunLock(path)
    assert lock_owner(path) is not None
    with pytest.raises(RunError, match="in use by process"):
        RunLock(path)
    held.release()
    assert lock_owner(path) is None
