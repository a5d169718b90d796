"""Ctrl-C at a running loop: once stops cleanly and the same run goes on, twice leaves at once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from patience import PATIENCE_S

from milton.loop import next_stage
from milton.loop.status_panel import SHOWN_NAMES
from milton.rundir import RunDir

LOOP = (
    *("loop", "--run", "mine", "--game", "connect_four", "--profile", "any-game-quick", "--iterations", "0"),
    *("--set", "network.hidden=32", "--set", "arena.gate=none"),
)


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "milton.cli", *LOOP, *more],
        cwd=folder,
        env={**os.environ, "MILTON_HOME": str(folder / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return
    raise AssertionError(f"the loop ended without saying {words!r}: {process.communicate()[1]}")


def test_one_ctrl_c_stops_cleanly_and_the_run_goes_on(tmp_path: Path) -> None:
    process = start(tmp_path)
    read_until(process, "iteration 1: trained")
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert "Resume with: python -m milton.cli loop --run mine --iterations 0" in rest
    with RunDir.open(tmp_path / "mine") as run:
        assert run.findings == ()
        done = run.database.latest_iteration()
        iteration, stage = next_stage(run)
    again = start(tmp_path, "--iterations", str(done + 1))
    rest, errors = again.communicate(timeout=PATIENCE_S)
    assert again.returncode == 0, errors
    assert f"resumes with iteration {iteration}, {SHOWN_NAMES[stage]}" in rest
    with RunDir.open(tmp_path / "mine") as run:
        assert run.database.latest_iteration() == done + 1


def test_a_second_ctrl_c_leaves_at_once(tmp_path: Path) -> None:
    # An arena that would take hours: only the second signal can end it.
    long_arena = ("arena.gate=threshold", "arena.games=2000", "arena.simulations=20000")
    process = start(tmp_path, *(word for change in long_arena for word in ("--set", change)))
    read_until(process, "iteration 1: trained")
    process.send_signal(signal.SIGINT)
    read_until(process, "Ctrl-C again exits at once")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + signal.SIGINT, errors
    with RunDir.open(tmp_path / "mine") as run:
        assert {stage.stage for stage in run.database.stages(1)} == {"selfplay", "label", "coach", "train"}


def test_a_second_loop_on_the_same_run_is_refused(tmp_path: Path) -> None:
    first = start(tmp_path)
    try:
        read_until(first, "iteration 1: self-play")
        second = start(tmp_path)
        _, errors = second.communicate(timeout=PATIENCE_S)
        assert second.returncode == 1
        assert errors.startswith("milton: run folder 'mine' is in use by process")
        assert len(errors.splitlines()) == 1
    finally:
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=PATIENCE_S)
