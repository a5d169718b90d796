"""A run remembers what is done, and puts itself in order after a crash."""

import os
import time
from pathlib import Path

import pytest

from milton.config import Settings, load_settings
from milton.errors import RunError
from milton.rundir import GamesRecord, RatingRecord, RunDir, RunSummary, list_runs


def file_of(run: RunDir, iteration: int, name: str, content: bytes = b"content") -> Path:
    path = run.iteration_dir(iteration, create=True) / name
    path.write_bytes(content)
    return path


def test_a_run_keeps_its_settings(tmp_path: Path) -> None:
    loaded = load_settings(profile="chess-reference", overrides={"train.batch_size": 77}, use_user_file=False)
    RunDir.create(tmp_path / "a", loaded).close()
    with RunDir.open(tmp_path / "a") as run:
        assert run.settings() == loaded.settings
        assert run.settings({"train.batch_size": 5}).train.batch_size == 5
    assert "[from command line]" in (tmp_path / "a" / "milton.toml").read_text()


def test_create_refuses_what_is_not_empty(run: RunDir, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="is a run already"):
        RunDir.create(run.path, Settings.profile("any-game-quick"))
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").touch()
    with pytest.raises(RunError, match="not empty"):
        RunDir.create(tmp_path / "photos", Settings.profile("any-game-quick"))
    with pytest.raises(RunError, match=r"is not a run: it has no milton\.toml"):
        RunDir.open(tmp_path / "photos")
    with pytest.raises(RunError, match=r"there is no such folder; .*`milton loop` starts one"):
        RunDir.open(tmp_path / "missing")


def test_an_interrupted_create_can_be_repeated(tmp_path: Path) -> None:
    RunDir.create(tmp_path / "a", Settings.profile("any-game-quick")).close()
    (tmp_path / "a" / "milton.toml").unlink()
    RunDir.create(tmp_path / "a", Settings.profile("any-game-quick")).close()
    RunDir.open(tmp_path / "a").close()


def test_a_stage_is_written_with_all_its_figures(run: RunDir) -> None:
    path = file_of(run, 1, "samples-0000.shard")
    games = GamesRecord(1, "selfplay", 10, 800, 4, 3, 3, 10, {"checkmate": 7, "adjudicated": 3})
    rating = RatingRecord(1, "ladder", "a", "b", 6, 2, 2, 147.0, 20.0, 300.0, time_s=5.0)
    run.record_stage(
        1,
        "selfplay",
        started_s=time.time(),
        artifacts=[path],
        result={"seed": 3},
        metrics={"speed": 9.5},
        games=games,
        ratings=[rating],
    )
    stage = run.database.stage(1, "selfplay")
    assert stage is not None
    assert stage.artifacts == (run.artifact(path),)
    assert stage.result == {"seed": 3}
    assert run.database.games() == (games,)
    assert (games.draw_rate, games.mean_plies, rating.score) == (0.3, 80.0, 0.7)
    assert run.database.ratings("ladder") == (rating,)
    assert run.database.latest_metrics() == {"speed": 9.5}
    assert run.shard_paths() == ((1, path),)
    assert run.latest_iteration() == 1


def test_a_failed_transaction_leaves_no_rows(run: RunDir) -> None:
    def write_and_fail() -> None:
        with run.database.transaction():
            run.database.add_metrics(1, {"a": 1.0})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    run.database.add_metrics(1, {"b": 1.0})
    assert run.database.latest_metrics() == {"b": 1.0}


def test_readers_see_rows_as_soon_as_they_are_committed(run: RunDir) -> None:
    with RunDir.open(run.path, writable=False) as reader:
        run.database.set_state("progress", {"num_games": 7, "draw_rate": 0.5})
        assert reader.summary().progress == {"num_games": 7, "draw_rate": 0.5}
        with pytest.raises(RunError, match="cannot be used"):
            reader.database.set_state("progress", {})


def test_summary_and_listing(run: RunDir) -> None:
    run.promote(0, file_of(run, 0, "candidate.safetensors"))
    run.record_stage(1, "train", started_s=1.0)
    summary = run.summary()
    assert (summary.game, summary.profile, summary.latest_stage) == ("chess", "any-game-quick", "train")
    assert (summary.num_promotions, summary.champion) == (0, "iter_0000/candidate.safetensors")
    broken = run.path.parent / "broken"
    broken.mkdir()
    (broken / "milton.toml").write_text("[train]\nx = 1\n")
    listed = list(list_runs(run.path.parent))
    assert sum(isinstance(entry, RunSummary) for entry in listed) == 1
    assert sum(isinstance(entry, RunError) for entry in listed) == 1


class TestRecovery:
    """Each test damages a closed run, then opens it."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick")) as run:
            run.promote(0, file_of(run, 0, "candidate.safetensors", b"zero"))
            for iteration in (1, 2):
                shard = file_of(run, iteration, "samples-0000.shard")
                run.record_stage(iteration, "selfplay", started_s=0, artifacts=[shard])
                candidate = file_of(run, iteration, "candidate.safetensors", b"%d" % iteration)
                run.record_stage(iteration, "train", started_s=0, artifacts=[candidate])
            run.promote(2, run.candidate_path(2))
        return tmp_path / "run"

    def test_an_intact_run_has_no_findings(self, path: Path) -> None:
        with RunDir.open(path) as run:
            assert run.findings == ()

    def test_temporary_files_go(self, path: Path) -> None:
        (path / "iter_0002" / ".arena.json.tmp-1-2").write_text("{")
        with RunDir.open(path):
            assert not list(path.rglob("*.tmp-*"))

    def test_a_deleted_old_shard_is_reported_once(self, path: Path) -> None:
        (path / "iter_0001" / "samples-0000.shard").unlink()
        with RunDir.open(path) as run:
            assert [str(finding) for finding in run.findings] == [
                "iter_0001/samples-0000.shard: missing; the run continues without it"
            ]
            assert run.database.events()[-1].kind == "quarantine"
            assert run.database.stage(1, "selfplay") is not None
        with RunDir.open(path) as run:
            assert run.findings == ()

    def test_a_stage_of_the_newest_iteration_without_its_files_is_not_done(self, path: Path) -> None:
        (path / "iter_0002" / "samples-0000.shard").unlink()
        with RunDir.open(path) as run:
            assert run.database.stages(2) == ()
            assert "repeating: selfplay, train" in str(run.findings[-1])

    def test_a_cut_candidate_is_quarantined_and_trained_again(self, path: Path) -> None:
        with RunDir.open(path) as run:
            run.promote(0, path / "iter_0000" / "candidate.safetensors")
        os.truncate(path / "iter_0002" / "candidate.safetensors", 0)
        with RunDir.open(path) as run:
            assert (path / "iter_0002" / "candidate.safetensors.quarantined").exists()
            assert [stage.stage for stage in run.database.stages(2)] == ["selfplay"]

    def test_a_cut_shard_stays_for_what_it_still_holds(self, path: Path) -> None:
        os.truncate(path / "iter_0002" / "samples-0000.shard", 3)
        with RunDir.open(path) as run:
            assert run.findings == ()

    def test_a_damaged_champion_gives_way_to_its_predecessor(self, path: Path) -> None:
        (path / "iter_0002" / "candidate.safetensors").write_bytes(b"X")
        with RunDir.open(path) as run:
            assert run.champion_checkpoint() == path / "iter_0000" / "candidate.safetensors"
            assert "fell back to iter_0000" in str(run.findings[-1])
        assert (path / "iter_0002" / "candidate.safetensors.quarantined").exists()

    def test_a_garbled_pointer_is_written_anew(self, path: Path) -> None:
        (path / "champion").write_text("rubbish")
        with RunDir.open(path) as run:
            assert run.champion_checkpoint() == path / "iter_0002" / "candidate.safetensors"

    def test_without_any_intact_champion_the_run_is_refused(self, path: Path) -> None:
        for name in ("iter_0000", "iter_0002"):
            (path / name / "candidate.safetensors").unlink()
        with pytest.raises(RunError, match="no earlier one is intact"):
            RunDir.open(path)

    def test_a_garbled_database_is_kept_aside(self, path: Path) -> None:
        (path / "run.sqlite").write_bytes(b"rubbish" * 1000)
        with RunDir.open(path) as run:
            assert "rebuilds its history" in str(run.findings[0])
            assert run.latest_iteration() == 2
            assert run.champion().checkpoint == "iter_0002/candidate.safetensors"
        assert (path / "run.sqlite.quarantined").exists()

    def test_a_database_damaged_inside_is_kept_aside(self, path: Path) -> None:
        content = bytearray((path / "run.sqlite").read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        (path / "run.sqlite").write_bytes(content)
        with RunDir.open(path) as run:
            assert run.findings
            assert run.has_champion()

    def test_a_newer_schema_is_refused(self, path: Path) -> None:
        import sqlite3

        with sqlite3.connect(path / "run.sqlite") as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        with pytest.raises(RunError, match="schema version 99"):
            RunDir.open(path)


def test_a_file_dropped_on_purpose_is_not_missed(tmp_path: Path) -> None:
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick")) as run:
        path = run.iteration_dir(1, create=True) / "training.safetensors"
        path.write_bytes(b"state")
        run.record_stage(1, "train", started_s=0.0, artifacts=[path])
        run.record_stage(2, "train", started_s=0.0)
        run.drop_artifact(1, "train", path)
        assert not path.exists()
    with RunDir.open(tmp_path / "run") as run:
        assert run.findings == ()
        assert run.database.stage(1, "train") is not None


def test_a_champion_moves_aside_before_its_file_is_written_again(tmp_path):
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick")) as run:
        run.iteration_dir(1, create=True)
        candidate = run.candidate_path(1)
        candidate.write_bytes(b"the champion")
        run.promote(1, candidate)
        run.set_champion_aside(candidate)
        candidate.write_bytes(b"another one")
        assert run.champion_checkpoint().read_bytes() == b"the champion"
        assert [record.checkpoint for record in run.database.champions()] == [run.champion().checkpoint]
        run.set_champion_aside(candidate)  # nobody lies there any more
        assert run.champion_checkpoint().read_bytes() == b"the champion"


def test_a_clock_set_back_between_two_stages_does_not_change_their_order(tmp_path, monkeypatch):
    """A stage that lost its files is done again, and so is everything that was built on it."""
    year_s = 366 * 86_400.0
    now_s = time.time()
    with RunDir.create(tmp_path / "run", Settings.profile("chess-cpu")) as run:
        candidate = run.iteration_dir(1, create=True) / "report.json"
        candidate.write_text("{}")
        for number, (stage, artifacts) in enumerate(
            [("selfplay", [candidate]), ("train", []), ("arena", [])]
        ):
            monkeypatch.setattr(time, "time", lambda number=number: now_s - number * year_s)
            run.record_stage(1, stage, started_s=1.0, artifacts=artifacts)
        assert [record.stage for record in run.database.stages(1)] == ["selfplay", "train", "arena"]
    candidate.unlink()
    with RunDir.open(tmp_path / "run") as run:
        assert run.database.stages(1) == ()
