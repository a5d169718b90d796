"""A run folder from somebody else: names in it may point anywhere, nothing outside the folder is touched."""

import json
import sqlite3
import time
from pathlib import Path

import pytest

from milton.errors import RunError
from milton.rundir import Artifact, ChampionPointer, ChampionRecord, RunDir, StageRecord
from milton.rundir.atomic import inside, remove_temporaries

SECRET = "do not touch"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside.txt"
    path.write_text(SECRET)
    return path


def add_stage(run: RunDir, name: str) -> None:
    record = StageRecord(1, "train", time.time(), time.time(), (Artifact(name, "0" * 64, 1),))
    run.database.add_stage(record)


@pytest.mark.parametrize(
    "name", ["../../outside.txt", "{outside}", "iter_0001/../../../outside.txt", "link.txt"]
)
def test_recovery_renames_nothing_outside_the_run(run, outside, name):
    (run.path / "link.txt").symlink_to(outside)
    add_stage(run, name.format(outside=outside))
    run.close()
    with RunDir.open(run.path) as opened:
        assert any("leaves the folder" in str(finding) for finding in opened.findings)
    assert outside.read_text() == SECRET
    assert [path.name for path in outside.parent.iterdir() if "quarantined" in path.name] == []


def test_a_champion_outside_the_run_is_neither_loaded_nor_renamed(run, outside):
    pointer = ChampionPointer.to_file(outside.parent, outside)
    (run.path / "iter_0001").symlink_to(outside.parent)
    ChampionPointer(f"iter_0001/{outside.name}", pointer.sha256).write(run.champion_path)
    run.database.add_champion(ChampionRecord(1, f"../../{outside.name}", pointer.sha256))
    with pytest.raises(RunError, match="leaves the folder"):
        run.champion_checkpoint()
    run.close()
    with pytest.raises(RunError, match="is lost"):
        RunDir.open(run.path)
    assert outside.read_text() == SECRET


def test_a_lock_that_is_a_link_is_refused_and_its_target_kept(run, outside):
    run.close()
    (run.path / ".lock").unlink()
    (run.path / ".lock").symlink_to(outside)
    with pytest.raises(RunError):
        RunDir.open(run.path)
    assert outside.read_text() == SECRET


def test_a_database_that_is_a_link_to_elsewhere_is_refused(run, tmp_path):
    run.close()
    elsewhere = tmp_path / "elsewhere.sqlite"
    (run.path / "run.sqlite").rename(elsewhere)
    before = elsewhere.read_bytes()
    (run.path / "run.sqlite").symlink_to(elsewhere)
    with pytest.raises(RunError, match="leaves the folder"):
        RunDir.open(run.path)
    assert elsewhere.read_bytes() == before


def test_files_are_not_written_through_a_linked_iteration_folder(run, tmp_path):
    (tmp_path / "victim").mkdir()
    (run.path / "iter_0007").symlink_to(tmp_path / "victim")
    with pytest.raises(RunError, match="leaves the folder"):
        run.iteration_dir(7, create=True)


def test_temporaries_behind_a_link_stay(run, tmp_path):
    (tmp_path / "victim").mkdir()
    kept = tmp_path / "victim" / ".notes.tmp-1-ab"
    kept.write_text(SECRET)
    (run.path / "iter_0007").symlink_to(tmp_path / "victim")
    remove_temporaries(run.path)
    assert kept.exists()


@pytest.mark.parametrize("name", ["", ".", "..", "/etc/passwd", "a/../../b", "a\0b"])
def test_names_that_are_no_file_of_the_folder_are_refused(tmp_path, name):
    with pytest.raises(RunError):
        inside(tmp_path, name)


def test_artifacts_survive_a_round_trip_through_the_database(run):
    add_stage(run, "iter_0001/candidate.safetensors")
    row = sqlite3.connect(run.path / "run.sqlite").execute("SELECT artifacts FROM stages").fetchone()
    assert json.loads(row[0])[0][0] == "iter_0001/candidate.safetensors"
