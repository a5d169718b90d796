"""The pointer names one intact checkpoint, and players notice when it changes."""

from pathlib import Path

import pytest

from milton.errors import RunError
from milton.rundir import ChampionPointer, RunDir


def checkpoint(run: RunDir, iteration: int, content: bytes) -> Path:
    path = run.iteration_dir(iteration, create=True) / "candidate.safetensors"
    path.write_bytes(content)
    return path


def test_promotion_is_remembered_and_idempotent(run: RunDir) -> None:
    assert not run.has_champion()
    with pytest.raises(RunError, match="no champion yet"):
        run.champion()
    first = checkpoint(run, 0, b"weights")
    run.promote(0, first)
    run.promote(0, first)
    assert run.champion_checkpoint() == first
    assert len(run.database.champions()) == 1
    assert (run.path / "champion").read_text().startswith("iter_0000/candidate.safetensors ")


def test_a_damaged_checkpoint_is_refused_by_name(run: RunDir) -> None:
    path = checkpoint(run, 1, b"weights")
    run.promote(1, path)
    path.write_bytes(b"Weights")
    with pytest.raises(RunError, match=r"candidate\.safetensors.*damaged"):
        run.champion_checkpoint()


def test_checkpoints_outside_the_run_are_refused(run: RunDir, tmp_path: Path) -> None:
    outside = tmp_path / "net.safetensors"
    outside.write_bytes(b"x")
    with pytest.raises(RunError, match="not inside"):
        run.promote(0, outside)


@pytest.mark.parametrize(
    "text", ["", "net", "net 12", f"/etc/passwd {'0' * 64}", f"../x {'0' * 64}", f"a {'0' * 64}\nb", "\0 \0"]
)
def test_malformed_pointers_are_refused(run: RunDir, text: str) -> None:
    run.champion_path.write_text(text)
    with pytest.raises(RunError, match="champion pointer"):
        run.champion()


def test_the_watcher_reports_each_change_once(run: RunDir) -> None:
    watcher = run.watch_deployed()
    assert watcher.poll() is None
    run.promote(0, checkpoint(run, 0, b"a"))
    assert watcher.poll() == run.champion()
    assert watcher.poll() is None
    run.promote(0, run.path / "iter_0000" / "candidate.safetensors")
    assert watcher.poll() is None
    run.promote(1, checkpoint(run, 1, b"b"))
    changed = watcher.poll()
    assert isinstance(changed, ChampionPointer)
    assert changed.checkpoint == "iter_0001/candidate.safetensors"
