"""The database may be lost: what happened is read again from the files, and a line says so."""

import sqlite3
from io import StringIO

import pytest
from finished_runs import ALL_STAGES, done_stages, go_on, messages
from rich.console import Console
from run_invariants import check_champions, check_shards
from short_loop import tiny_settings
from typer.testing import CliRunner

from milton.cli.app import app
from milton.errors import RunError
from milton.loop import PlainView, init_run, run_loop
from milton.rundir import RunDir
from milton.rundir.database import DamagedDatabaseError

runner = CliRunner()
SPOILS = {
    "stages": "UPDATE stages SET artifacts = '[[1' WHERE stage = 'train'",
    "results": "UPDATE stages SET result = 'no JSON'",
    "games": "UPDATE games SET end_reasons = x'00ff'",
    "iterations": "UPDATE games SET num_positions = 'many'",
    "champions": "UPDATE champions SET sha256 = x'00' WHERE iteration = 0",
    "state": "UPDATE state SET value = '{' WHERE key = 'progress'",
    "metrics": "UPDATE metrics SET name = x'00' WHERE rowid = 1",
    "events": "UPDATE events SET message = x'00'",
}


def remove_database(run_path) -> None:
    for file in run_path.glob("run.sqlite*"):
        file.unlink()


def spoil(run_path, statement: str) -> None:
    with sqlite3.connect(run_path / "run.sqlite") as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


def test_a_deleted_database_is_rebuilt_from_the_files(path):
    with RunDir.open(path) as run:
        before = {games.iteration: games for games in run.database.games("selfplay")}
        champions = [(record.checkpoint, record.sha256) for record in run.database.champions()]
    remove_database(path)
    output = StringIO()
    with RunDir.open(path) as run:
        assert any("rebuilds its history" in str(finding) for finding in run.findings)
        console = Console(file=output, width=300)
        assert run_loop(run, run.settings(), iterations=3, console=console, open_view=PlainView)
        assert {games.iteration: games for games in run.database.games("selfplay")}.items() >= before.items()
        after = [(record.checkpoint, record.sha256) for record in run.database.champions()]
        assert after[: len(champions)] == champions
        assert [done_stages(run, number) for number in (1, 2, 3)] == [ALL_STAGES] * 3
        assert "history rebuilt from 2 iteration folders" in messages(run)
        check_shards(run)
        check_champions(run)
    assert "history rebuilt from 2 iteration folders" in output.getvalue()
    with RunDir.open(path) as run:
        assert run.findings == (), "told once"


def test_readers_of_a_run_without_database_get_one_line(path):
    remove_database(path)
    with pytest.raises(RunError, match=r"is missing; .*repairs it"):
        RunDir.open(path, writable=False)


@pytest.mark.parametrize("statement", SPOILS.values(), ids=SPOILS)
def test_rows_that_do_not_decode_are_damage_and_the_loop_goes_on(path, statement):
    with RunDir.open(path) as run:  # some runs have no event yet
        run.database.add_event(1, "info", "test", "something happened")
    spoil(path, statement)
    result = runner.invoke(app, ["status", "--run", str(path)])
    assert result.exit_code == 0 or isinstance(result.exception, DamagedDatabaseError)
    with RunDir.open(path) as run:
        assert any("do not decode" in str(finding) for finding in run.findings)
        assert (path / "run.sqlite.quarantined").exists()
        assert go_on(run, 3)
        assert [done_stages(run, number) for number in (2, 3)] == [ALL_STAGES] * 2
        run.champion_checkpoint()


ODD_STATE = {
    "dropped_positions": {"x": 1, "9" * 5000: 1, "9" * 300: 1, "1": None, "2": "x", "-1": 1, "3": 10**400},
    "resign": ["x", None, 10**400, [1], float("nan"), -0.5],
    "rate_factor": 10**400,
    "num_starts": 10**400,
    "created_s": 10**400,
    "milestones": [{"elo": 1}, None],
    "milestone_reached": [],
}


def test_a_state_that_no_loop_wrote_neither_ends_a_loop_nor_a_command(path):
    with RunDir.open(path) as run:
        for key, value in ODD_STATE.items():
            run.database.set_state(key, value)
    assert runner.invoke(app, ["status", "--run", str(path)], catch_exceptions=False).exit_code == 0
    with RunDir.open(path) as run:
        assert go_on(run, 3)
        assert done_stages(run, 3) == ALL_STAGES


def test_a_database_that_vanishes_while_it_is_written_is_noticed(tmp_path):
    with init_run(tmp_path / "run", tiny_settings()) as run:
        assert go_on(run, 1)
        remove_database(run.path)
        with pytest.raises(RunError, match="was removed or replaced"):
            go_on(run, 2)
    with RunDir.open(tmp_path / "run") as run:
        assert go_on(run, 2)
        assert done_stages(run, 2) == ALL_STAGES


def test_a_flipped_bit_in_the_training_state_is_found_before_it_is_learnt_from(path):
    """Only the SHA-256 shows it: the file stays a good training state."""
    state = path / "iter_0002" / "training.safetensors"
    content = bytearray(state.read_bytes())
    content[-2] ^= 0x40  # an exponent of the last tensor
    state.write_bytes(content)
    with RunDir.open(path) as run:
        assert any("SHA-256" in str(finding) for finding in run.findings)
        assert (path / "iter_0002" / "training.safetensors.quarantined").exists()
        assert go_on(run, 3)
        assert done_stages(run, 2) == done_stages(run, 3) == ALL_STAGES
