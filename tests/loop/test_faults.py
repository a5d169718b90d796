"""Damage and other people's mistakes: refused or quarantined with a clear line, and the rest goes on."""

import os
import resource
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
import torch
from finished_runs import ALL_STAGES, done_stages, go_on, messages
from rich.console import Console

from milton.errors import ArgumentError, MiltonError, RunError, TrainingError
from milton.loop import RunRequest, open_session, run_loop
from milton.nets import read_checkpoint_info
from milton.replay import check_shard
from milton.rundir import RunDir
from milton.training import Losses
from milton.training.sparse import SparseLearner

PROGRAM = Path(__file__).parents[1] / "support" / "short_loop.py"


def test_a_run_goes_on_where_it_stopped(path):
    with RunDir.open(path) as run:
        assert go_on(run, 3)
        assert done_stages(run, 3) == ALL_STAGES
        assert run.findings == ()


def test_a_run_goes_on_with_a_wider_network(path):
    # Without the ladder, which may go back to a champion of before.
    changes = {"network.hidden": 64, "arena.gate": "none", "arena.ladder_every": 0}
    session = open_session(path, RunRequest(overrides=changes))
    with session.run as run:
        assert any("larger" in note for note in session.notes)
        assert run_loop(run, session.settings, iterations=4, console=Console(file=StringIO()))
        assert read_checkpoint_info(run.champion_checkpoint()).description.sizes.hidden == 64
        assert done_stages(run, 4) == ALL_STAGES
    with pytest.raises(ArgumentError, match="64"):  # never narrower again
        open_session(path, RunRequest())


def test_a_finished_run_has_nothing_to_do(path):
    with RunDir.open(path) as run:
        before = run.database.stages()
        assert go_on(run, 2)
        assert run.database.stages() == before


def test_training_a_stage_again_gives_the_same_network_to_the_bit(path):
    with RunDir.open(path) as run:
        record = run.database.stage(2, "train")
        run.database.forget_stages(2, ["train", "arena", "ladder"])
        go_on(run, 2)
        again = run.database.stage(2, "train")
        assert again is not None
        assert record is not None
        # The candidate also names its parent, which is the champion of the moment.
        states = [stage.artifacts[1] for stage in (record, again)]
        assert states[0].path == "iter_0002/training.safetensors"
        assert states[0] == states[1]


def test_a_deleted_old_shard_is_reported_and_left_out(path):
    (path / "iter_0001" / "samples-0000.shard").unlink()
    with RunDir.open(path) as run:
        assert "iter_0001/samples-0000.shard: missing" in messages(run)
        assert go_on(run, 3)
        assert done_stages(run, 3) == ALL_STAGES


def test_a_deleted_new_shard_is_played_again(path):
    (path / "iter_0002" / "samples-0000.shard").unlink()
    with RunDir.open(path) as run:
        assert "repeating: selfplay, label, coach, train, arena, deploy, ladder" in messages(run)
        assert go_on(run, 2)
        assert done_stages(run, 2) == ALL_STAGES


def test_a_flipped_byte_costs_one_block_and_names_the_place(path):
    shard = path / "iter_0001" / "samples-0000.shard"
    content = bytearray(shard.read_bytes())
    content[len(content) // 2] ^= 0x40
    shard.write_bytes(content)
    with RunDir.open(path) as run:
        assert go_on(run, 3)
        assert done_stages(run, 3) == ALL_STAGES
        assert "samples-0000.shard" in messages(run)
        assert "left out" in messages(run)


def stop_before_training(path: Path) -> int:
    """Leaves a run of one iteration whose games are played and whose network is not trained yet."""
    with RunDir.open(path) as run:
        run.database.forget_stages(2, list(ALL_STAGES))
        run.database.forget_stages(1, ["train", "arena", "ladder"])
        record = run.database.stage(1, "selfplay")
        assert record is not None
    shutil.rmtree(path / "iter_0002")
    return int(record.result["positions"])


@pytest.mark.parametrize("place", [0, 60, -1], ids=["file header", "block header", "last block"])
def test_games_that_were_damaged_before_training_are_set_aside_and_played_again(path, place):
    num_positions = stop_before_training(path)
    shard = path / "iter_0001" / "samples-0000.shard"
    content = bytearray(shard.read_bytes())
    content[place] ^= 0x40
    shard.write_bytes(content)
    with RunDir.open(path) as run:
        assert go_on(run, 1)
        assert done_stages(run, 1) == ALL_STAGES
        record = run.database.stage(1, "selfplay")
        assert record is not None
        assert record.result["positions"] >= min(num_positions, run.settings().loop.samples_per_iter)
        assert "samples-0000.shard" in messages(run)
        assert "playing again" in messages(run)
        assert check_shard(shard)[1] == []
    assert list(shard.parent.glob("samples-0000.shard*.quarantined"))


def test_games_that_vanish_before_training_are_played_again(path):
    stop_before_training(path)
    shard = path / "iter_0001" / "samples-0000.shard"
    with RunDir.open(path) as run:
        shard.unlink()
        assert go_on(run, 1)
        assert done_stages(run, 1) == ALL_STAGES
        assert "playing again" in messages(run)


def test_damage_in_an_old_shard_is_told_once(path):
    shard = path / "iter_0001" / "samples-0000.shard"
    content = bytearray(shard.read_bytes())
    content[-1] ^= 0x40
    shard.write_bytes(content)
    for iterations in (3, 4):
        with RunDir.open(path) as run:
            assert go_on(run, iterations)
            assert messages(run).count("are not used") == 1
    assert list(shard.parent.glob("samples-0000.shard.*.quarantined"))


@pytest.mark.parametrize("content", ["", "nonsense\n", "../../etc/passwd " + "0" * 64 + "\n", "\x00" * 100])
def test_a_garbled_champion_pointer_goes_back_to_the_last_champion(path, content):
    with RunDir.open(path) as run:
        expected = run.champion()
    (path / "champion").write_text(content)
    with RunDir.open(path) as run:
        assert run.champion() == expected
        assert "fell back to" in messages(run)
        assert go_on(run, 3)


def test_a_damaged_champion_is_quarantined_and_its_predecessor_plays(path):
    with RunDir.open(path) as run:
        checkpoint = run.champion_checkpoint()
        assert len(run.database.champions()) > 1
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    with RunDir.open(path) as run:
        assert run.champion_checkpoint() != checkpoint
        assert checkpoint.with_name(checkpoint.name + ".quarantined").exists()
        assert go_on(run, 3)


def test_a_damaged_training_state_is_quarantined_and_training_goes_on(path):
    state = path / "iter_0002" / "training.safetensors"
    content = bytearray(state.read_bytes())
    content[3] ^= 0x10  # the length of the header; the size of the file stays
    state.write_bytes(content)
    with RunDir.open(path) as run:
        assert go_on(run, 3)
        assert "moved to training.safetensors.quarantined" in messages(run)
        assert done_stages(run, 3) == ALL_STAGES


def test_two_loops_on_one_folder_are_refused(path):
    with RunDir.open(path):
        result = subprocess.run(
            [sys.executable, str(PROGRAM), str(path), "3"], capture_output=True, text=True, check=False
        )
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert f"in use by process {os.getpid()}" in result.stderr


def test_a_full_disk_is_one_line_and_nothing_is_lost(path):
    """A limit on the size of files stands in for a disk that is full."""
    limit = 2 * max(file.stat().st_size for file in path.rglob("*.shard")) // 3
    result = subprocess.run(
        [sys.executable, str(PROGRAM), str(path), "3"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("error: ")
    with RunDir.open(path) as run:
        assert done_stages(run, 2) == ALL_STAGES
        assert go_on(run, 3)
        assert done_stages(run, 3) == ALL_STAGES


def test_a_full_file_system_is_one_line_and_nothing_is_lost(finished_run, tmp_path):
    mount = tmp_path / "small"
    mount.mkdir()
    size = sum(file.stat().st_size for file in finished_run.rglob("*") if file.is_file()) + 600_000
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no right to mount a small file system")
    try:
        shutil.copytree(finished_run, mount / "run")
        result = subprocess.run(
            [sys.executable, str(PROGRAM), str(mount / "run"), "9"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 1
        assert "disk" in result.stderr
        assert "free some space" in result.stderr
        assert "Traceback" not in result.stderr
        shutil.copytree(mount / "run", tmp_path / "run")
    finally:
        subprocess.run(["umount", str(mount)], check=True)
    with RunDir.open(tmp_path / "run") as run:
        target = run.latest_iteration() + 1
        assert go_on(run, target)
        assert done_stages(run, target) == ALL_STAGES


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(path):
    path.chmod(0o500)
    try:
        with pytest.raises(MiltonError, match=r"permission|read-only"):
            RunDir.open(path)
    finally:
        path.chmod(0o700)


def test_a_folder_on_a_read_only_file_system_is_refused(finished_run, tmp_path):
    target = tmp_path / "bound"
    target.mkdir()
    bound = subprocess.run(
        ["mount", "--bind", str(finished_run), str(target)], check=False, capture_output=True
    )
    if bound.returncode:
        pytest.skip("no right to mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(target)], check=True)
        with pytest.raises(RunError, match="read-only"):
            RunDir.open(target)
    finally:
        subprocess.run(["umount", str(target)], check=True)


class ExplodingLearner(SparseLearner):
    """Puts a weight that is no number into the network before its first training only."""

    explosions = 1

    def train(self, columns, plan, on_step=None) -> Losses:
        if ExplodingLearner.explosions > 0:
            ExplodingLearner.explosions -= 1
            with torch.no_grad():
                next(self.state.net.parameters()).fill_(float("nan"))
        return super().train(columns, plan, on_step)


def test_numbers_that_explode_roll_back_and_halve_the_step(path, monkeypatch):
    monkeypatch.setattr("milton.training.learner.SparseLearner", ExplodingLearner)
    monkeypatch.setattr(ExplodingLearner, "explosions", 1)
    with RunDir.open(path) as run:
        before = run.database.stage(2, "train")
        assert before is not None
        assert go_on(run, 3)
        after = run.database.stage(3, "train")
        assert after is not None
        assert after.result["learning_rate"] == pytest.approx(before.result["learning_rate"] / 2)
        assert "back to the last good weights, step × 0.5" in messages(run)
        assert done_stages(run, 3) == ALL_STAGES


def test_numbers_that_keep_exploding_end_the_loop_with_a_reason(path, monkeypatch):
    monkeypatch.setattr("milton.training.learner.SparseLearner", ExplodingLearner)
    monkeypatch.setattr(ExplodingLearner, "explosions", 100)
    with RunDir.open(path) as run:
        with pytest.raises(TrainingError, match="not a number"):
            go_on(run, 3)
        assert "train" not in done_stages(run, 3)
        run.champion_checkpoint()
