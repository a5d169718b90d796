"""A run folder from somebody else: names in it may point anywhere, nothing outside the folder is touched."""

import json
import os
import sqlite3
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from milton.config import Settings
from milton.errors import RunError
from milton.rundir import (
    AnchoredRating,
    Artifact,
    ChampionPointer,
    ChampionRecord,
    RunDir,
    StageRecord,
    add_anchored_rating,
    anchored_ratings,
    running_stage,
)
from milton.rundir.atomic import inside, remove_temporaries
from milton.rundir.database import DamagedDatabaseError

SECRET = "do not touch"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside.txt"
    path.write_text(SECRET)
    return path


def add_stage(run: RunDir, name: str) -> None:
    record = StageRecord(1, "train", time.time(), time.time(), (Artifact(name, "0" * 64, 1),))
    run.database.add_stage(record)


@pytest.mark.parametrize("name", ["../../outside.txt", "{outside}", "iter_0001/../../../outside.txt"])
def test_recovery_renames_nothing_outside_the_run(run, outside, name):
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
    with pytest.raises(RunError, match="leaves the folder"):
        RunDir.open(run.path)
    assert outside.read_text() == SECRET


@pytest.mark.parametrize(
    "name",
    ["loop.log", "iter_0001/samples-0000.shard", "lichess-demo/games.jsonl", "notes/deep/down", "dangling"],
)
def test_a_link_that_leads_out_of_the_run_is_refused_wherever_it_is(run, outside, name):
    run.close()
    link = run.path / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside if name != "dangling" else outside.with_name("not there yet"))
    with pytest.raises(RunError, match=r"leaves the folder .*replace this link"):
        RunDir.open(run.path)
    assert outside.read_text() == SECRET
    assert not outside.with_name("not there yet").exists()


def test_a_link_inside_the_run_and_a_run_behind_a_link_are_opened(run, tmp_path):
    run.close()
    (run.path / "first.toml").symlink_to(run.path / "milton.toml")
    (run.path / "gone.toml").symlink_to(run.path / "removed.toml")
    (tmp_path / "alias").symlink_to(run.path)
    with RunDir.open(tmp_path / "alias") as opened:
        assert opened.findings == ()


@pytest.mark.parametrize(
    "name", ["champion", "deployed", "run.sqlite", "iter_0001/samples-0000.shard", "loop.log"]
)
@pytest.mark.parametrize("writable", [True, False])
def test_nobody_waits_for_a_pipe(run, name, writable):
    run.close()
    pipe = run.path / name
    pipe.parent.mkdir(exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    if writable or name in ("champion", "deployed", "run.sqlite"):
        with pytest.raises(RunError, match="neither a file nor a folder"):
            RunDir.open(run.path, writable=writable)
        return
    with RunDir.open(run.path, writable=False) as opened:
        assert opened.shard_paths() == ()


def journal_that_names(victim: Path, database: Path) -> bytes:
    """A rollback journal that SQLite takes for one of several databases: it deletes `victim` in the end."""
    magic, page, name = bytes.fromhex("d9d505f920a163d7"), 4096, str(victim).encode()
    header = magic + struct.pack(">5I", 0, 0, database.stat().st_size // page, 512, page)
    super_journal = (
        struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">2I", len(name), sum(name))
    )
    return header.ljust(512, b"\0") + super_journal + magic


def test_a_journal_that_names_another_file_deletes_nothing(run, outside):
    run.close()
    database = run.path / "run.sqlite"
    (run.path / "run.sqlite-journal").write_bytes(journal_that_names(outside, database))
    with pytest.raises(DamagedDatabaseError, match="names another file"):
        RunDir.open(run.path, writable=False)
    with RunDir.open(run.path) as opened:
        assert any("not a readable database" in str(finding) for finding in opened.findings)
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


# The database is a program


ENDLESS = """CREATE VIEW stages AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x)
    SELECT n AS iteration, 'a' AS stage, 1.0 AS started_s, 1.0 AS finished_s, '[]', '{}' FROM x"""
FOREIGN_SCHEMAS = {
    "a view without end": ["DROP TABLE stages", ENDLESS],
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM stages; END"],
    "a column less": ["ALTER TABLE stages DROP COLUMN result"],
    "a column more": ["ALTER TABLE stages ADD COLUMN more"],
    "a table less": ["DROP TABLE metrics"],
    "a check that computes": [
        "DROP TABLE state",
        "CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT, CHECK (length(randomblob(1000)) > 1))",
    ],
}


@pytest.mark.parametrize("statements", FOREIGN_SCHEMAS.values(), ids=FOREIGN_SCHEMAS)
def test_a_database_with_other_tables_is_damage_and_none_of_it_runs(run, statements):
    run.close()
    with sqlite3.connect(run.path / "run.sqlite") as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    with pytest.raises(DamagedDatabaseError, match="is not as a run has it"):
        RunDir.open(run.path, writable=False)
    with RunDir.open(run.path) as opened:
        assert [finding.path for finding in opened.findings] == ["run.sqlite"]
        assert opened.database.stages() == ()
    assert (run.path / "run.sqlite.quarantined").exists()


ODD_ROWS = {
    "an iteration beyond all": "INSERT INTO stages VALUES (9223372036854775807, 'train', 1, 1, '[]', '{}')",
    "an iteration below zero": "INSERT INTO games VALUES (-1, 'selfplay', 1, 1, 0, 0, 0, 0, '{}')",
    "an end after all time": "INSERT INTO stages VALUES (1, 'train', 1, 9e999, '[]', '{}')",
    "games below zero": "INSERT INTO games VALUES (1, 'selfplay', -1, 1, 0, 0, 0, 0, '{}')",
    "wins below zero": "INSERT INTO ratings VALUES (1, 'arena', 'a', 'b', -1, 0, 0, 0, 0, 0, 1)",
    "draws beyond all": "INSERT INTO ratings VALUES (1, 'arena', 'a', 'b', 1, 1e18, 0, 0, 0, 0, 1)",
    "an unknown level": "INSERT INTO events VALUES (1, 'doom', 'x', 'y', '', 1)",
    "positions as text": "INSERT INTO stages VALUES (1, 'selfplay', 1, 1, '[]', '{\"positions\": \"x\"}')",
    "positions below zero": "INSERT INTO stages VALUES (1, 'selfplay', 1, 1, '[]', '{\"positions\": -1}')",
    "no number of positions": "INSERT INTO stages VALUES (1, 'selfplay', 1, 1, '[]', '{\"positions\": NaN}')",
    "a list of results": "INSERT INTO stages VALUES (1, 'selfplay', 1, 1, '[]', '[1]')",
    "a nest of results": f"INSERT INTO stages VALUES (1, 'train', 1, 1, '{'[' * 50_000}', '{{}}')",
}


@pytest.mark.parametrize("statement", ODD_ROWS.values(), ids=ODD_ROWS)
def test_numbers_that_nobody_wrote_are_damage(run, statement):
    run.close()
    with sqlite3.connect(run.path / "run.sqlite") as connection:
        connection.execute(statement)
    connection.close()
    with RunDir.open(run.path) as opened:
        assert any("do not decode" in str(finding) for finding in opened.findings)
        assert opened.latest_iteration() == 0


@pytest.mark.parametrize("value", ['"x"', "[1]", "NaN", "1e999", "1" + "0" * 400, "-1e14", "1e14"])
def test_a_state_that_nobody_wrote_is_as_good_as_none(run, value):
    run.close()
    with sqlite3.connect(run.path / "run.sqlite") as connection:
        connection.execute("INSERT OR REPLACE INTO state VALUES ('created_s', ?)", (value,))
    connection.close()
    with RunDir.open(run.path, writable=False) as opened:
        assert opened.summary().created_s == 0.0


def test_what_a_run_says_holds_nothing_that_a_terminal_would_obey(run):
    evil, shown = "\x1b]0;owned\x07\u202e\ud800", "?]0;owned???"
    run.database.add_event(1, "warning", "x", evil.replace("\ud800", "\x9b"), action="two\nlines")
    run.database.add_metrics(1, {"\x1b[2J": 1.0})
    run.database.set_state("progress", {"messages": [evil], evil: 1})
    add_stage(run, f"iter_0001/{evil}")
    (event,) = run.database.events()
    assert (event.message, event.action) == (shown, "two\nlines")
    assert run.database.latest_metrics() == {"?[2J": 1.0}
    assert run.database.progress == {"messages": [shown], shown: 1}
    run.close()
    with RunDir.open(run.path) as opened:
        assert [str(finding) for finding in opened.findings if not str(finding).isprintable()] == []


def test_the_name_of_a_run_is_shown_without_what_a_terminal_would_obey(tmp_path):
    path = tmp_path / "mine\x1b[2J\u202e"
    with RunDir.create(path, Settings.profile("any-game-quick")) as run:
        assert run.name == run.summary().name == "mine?[2J?"


def test_a_pointer_with_what_a_terminal_would_obey_is_none(run):
    run.champion_path.write_text(f"iter_0001/\x1b[2J {'0' * 64}\n")
    with pytest.raises(RunError, match="must be 'CHECKPOINT SHA256'"):
        run.champion()


@pytest.mark.parametrize(
    "statement",
    ["INSERT INTO metrics VALUES (1, 'x', 'y', 1)", "INSERT INTO stages VALUES ('x', 'a', 1, 1, '[]', '{}')"],
)
def test_readers_are_told_of_rows_that_are_no_numbers(run, statement):
    with sqlite3.connect(run.path / "run.sqlite") as connection:
        connection.execute(statement)
    connection.close()
    for read in (run.summary, run.latest_iteration):
        try:
            read()
        except DamagedDatabaseError:
            break
    else:
        raise AssertionError("nobody noticed")


ODD_PROGRESS = {
    "updated_s": ["x", None, float("nan"), float("inf"), 10**400, []],
    "num_games": ["x", None, float("nan"), {}],
    "elo_chained": ["x", float("nan"), []],
    "stage": [5, "x", {"iteration": 1}, {"iteration": "x", "name": 1}, [1]],
    "workers": [5, {}, "x", None],
    "shown_game": [5, {"kind": 1}, "x", [1]],
    "processor_s": [float("nan"), float("inf"), "x", 1e300],
}


@pytest.mark.parametrize("name", ODD_PROGRESS)
def test_what_no_loop_says_of_itself_is_not_heard(run, name):
    for value in ODD_PROGRESS[name]:
        run.database.set_state("progress", {name: value, "mean_plies": 7.5})
        assert run.database.progress == {"mean_plies": 7.5}
        assert running_stage(run.summary().progress) == {}


def test_what_a_loop_says_of_itself_is_heard(run):
    stage = {"iteration": 3, "name": "train", "unit": "steps", "done": 1, "total": 2.0, "started_s": 1.0}
    said = {"stage": {**stage, "text": ""}, "updated_s": time.time(), "elo_chained": None, "workers": []}
    run.database.set_state("progress", said)
    assert run.database.progress == said
    assert running_stage(run.database.progress)["name"] == "train"


@pytest.mark.parametrize("jump_s", [-366 * 86_400.0, 366 * 86_400.0])
def test_what_was_said_before_the_clock_jumped_is_stale(run, jump_s):
    stage = {"iteration": 3, "name": "train", "unit": "", "done": 1, "total": 2, "started_s": 1, "text": ""}
    run.database.set_state("progress", {"stage": stage, "updated_s": time.time() + jump_s})
    assert running_stage(run.database.progress) == {}


@pytest.mark.parametrize("name", ["elo", "num_games", "rated_s"])
@pytest.mark.parametrize("value", ["NaN", "Infinity", "1" + "0" * 400, '"x"', "[" * 50_000, "null"])
def test_ratings_that_nobody_wrote_are_left_out(run, name, value):
    rating = AnchoredRating("iter_0001/a", 1.0, 0.0, 2.0, "ccrl", "1+1", 10, 1.0)
    add_anchored_rating(run.path, rating)
    path = run.path / "anchored.jsonl"
    fields = json.loads(path.read_text())
    odd = ", ".join(f'"{key}": {value if key == name else json.dumps(kept)}' for key, kept in fields.items())
    path.write_text(f"{{{odd}}}\n" + path.read_text())
    assert anchored_ratings(run.path) == (rating,)


@pytest.mark.parametrize("folder", ["iter_" + "9" * 5000, "iter_\u0663\u0663\u0663\u0663", "best", "iter_1"])
def test_a_rating_of_no_iteration_is_kept_without_one(run, folder):
    rating = AnchoredRating(f"{folder}/a", 1.0, 0.0, 2.0, "ccrl", "1+1", 10, 1.0)
    add_anchored_rating(run.path, rating)
    assert anchored_ratings(run.path) == (rating,)
    assert rating.iteration is None
    assert AnchoredRating("iter_0012/a", 1.0, 0.0, 2.0, "ccrl", "1+1", 10, 1.0).iteration == 12


def test_a_file_of_ratings_without_end_is_read_to_a_bound(run):
    with (run.path / "anchored.jsonl").open("wb") as file:
        file.truncate(2**40)  # sparse: a terabyte for whoever reads it all
    assert anchored_ratings(run.path) == ()


def test_ratings_that_two_processes_add_at_once_are_all_kept(run):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from milton.rundir import AnchoredRating, add_anchored_rating\n"
        "for i in range(20):\n"
        "    network = f'iter_{i:04d}/{sys.argv[2]}'\n"
        "    rating = AnchoredRating(network, 1.0, 0.0, 2.0, 'ccrl', '1+1', 1, 1.0)\n"
        "    add_anchored_rating(Path(sys.argv[1]), rating)\n"
    )
    commands = [[sys.executable, "-c", code, str(run.path), name] for name in ("a", "b")]
    for process in [subprocess.Popen(command) for command in commands]:
        assert process.wait() == 0
    assert len({rating.network for rating in anchored_ratings(run.path)}) == 40


def test_an_empty_database_is_a_lost_one(run):
    run.close()
    (run.path / "run.sqlite").write_bytes(b"")
    (run.path / "iter_0001").mkdir()
    (run.path / "iter_0001" / "samples-0000.shard").write_bytes(b"x")
    with pytest.raises(DamagedDatabaseError, match="it is empty"):
        RunDir.open(run.path, writable=False)
    with RunDir.open(run.path) as opened:
        assert any("rebuilds its history" in str(finding) for finding in opened.findings)


def test_folders_that_only_look_like_iterations_are_left_alone(run):
    names = ["iter_0002.bak", "iter_0002 copy", "iter_1\u00b2", "iter_" + "9" * 30, "iter_", "iter_00002"]
    for name in ("iter_0001", "iter_0002", *names):
        (run.path / name).mkdir()
        (run.path / name / "samples-0000.shard").write_bytes(b"x")
    assert run.iteration_numbers() == (1, 2)
    assert [path.parent.name for _, path in run.shard_paths()] == ["iter_0001", "iter_0002"]
    assert run.latest_iteration() == 2


@pytest.mark.parametrize("name", ["milton.toml", "champion", "x" * 5000, "iter_0001/" + "x" * 5000])
def test_only_files_of_iterations_are_renamed(run, name):
    before = sorted(path.name for path in run.path.iterdir() if not path.name.startswith("run.sqlite"))
    add_stage(run, name)
    run.close()
    with RunDir.open(run.path) as opened:
        assert any(finding.action == "not touched" for finding in opened.findings)
    after = sorted(path.name for path in run.path.iterdir() if not path.name.startswith("run.sqlite"))
    assert after == before
