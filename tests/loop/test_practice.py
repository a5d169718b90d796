"""Games that start from earlier positions, in a run: archived, played, resumed, told."""

import json
from io import StringIO

import pytest
from rich.console import Console
from short_loop import tiny_settings
from typer.testing import CliRunner

from milton.cli.app import app
from milton.config import SelfPlaySettings, Settings
from milton.errors import ConfigError
from milton.loop import PlainView, init_run, run_loop
from milton.loop.practice import ARCHIVE_NAME, archive_before, practice_after
from milton.loop.rebuild import rebuild_history
from milton.replay import PositionFlag, ShardReader, has_flag
from milton.rundir import RunDir

runner = CliRunner()
QUICK = {"loop.samples_per_iter": 800, "arena.gate": "none", "arena.ladder_every": 1000}


def practising(source: str = "regret", **more: object) -> Settings:
    wanted = {"selfplay.practice_fraction": 0.6, "selfplay.practice_from": source, "coach.every": 1}
    return tiny_settings(**{**QUICK, **wanted, **more})


def learn(run: RunDir, iterations: int) -> str:
    """Goes on until then. Games that were played ahead end with the call: the next one starts afresh."""
    output = StringIO()
    console = Console(file=output, width=240)
    assert run_loop(run, run.settings(), iterations=iterations, console=console, open_view=PlainView)
    return output.getvalue()


def practised_starts(run: RunDir, iteration: int) -> list[bytes]:
    return [
        row.tobytes()
        for block in ShardReader(run.shard_path(iteration)).blocks()
        for row in block.packed[has_flag(block.flags, PositionFlag.PRACTISED)]
    ]


@pytest.mark.parametrize("source", ["regret", "uniform"])
def test_games_start_from_the_archive_of_the_iterations_before(source, tmp_path):
    with init_run(tmp_path / "run", practising(source)) as run:
        text = learn(run, 1)
        assert practised_starts(run, 1) == []
        archived = {row.tobytes() for row in archive_before(run, run.settings(), 2).packed}
        assert archived
        text += learn(run, 2)
        starts = practised_starts(run, 2)
        assert starts
        assert set(starts) <= archived
        row = run.database.stage(2, "selfplay")
        assert row is not None
        assert row.result["practice"]["num_games"] == len(starts)
        assert row.result["practice"]["source"] == source
        assert not (run.iteration_dir(1) / ARCHIVE_NAME).exists()
        assert (run.iteration_dir(2) / ARCHIVE_NAME).is_file()
    assert f"practice: {len(starts)} games from earlier positions ({source})" in text
    with RunDir.open(tmp_path / "run") as run:
        assert run.findings == ()


def test_the_report_says_what_was_practised(tmp_path):
    path = tmp_path / "run"
    with init_run(path, practising()) as run:
        learn(run, 1)
        learn(run, 2)
    report = json.loads(runner.invoke(app, ["coach", "show", "--run", str(path), "--json"]).stdout)
    assert report["practice"]["num_games"] > 0
    shown = runner.invoke(app, ["coach", "show", "--run", str(path)]).stdout
    assert "practice:" in shown
    assert "games from earlier positions (regret)" in " ".join(shown.split())
    status = runner.invoke(app, ["status", "--run", str(path)]).stdout
    assert "games from earlier positions (regret)" in " ".join(status.split())


def test_a_stage_that_was_killed_gives_the_same_archive_again(tmp_path):
    with init_run(tmp_path / "run", practising()) as run:
        learn(run, 2)
        before = archive_before(run, run.settings(), 3)
        learn(run, 3)
        path = run.iteration_dir(3) / ARCHIVE_NAME
        first = path.read_bytes()
        path.unlink()
        blocks = list(ShardReader(run.shard_path(3)).blocks())
        practice_after(run, run.settings(), before, 3, blocks)
        assert path.read_bytes() == first


def test_a_damaged_archive_is_set_aside_and_the_run_goes_on(tmp_path):
    with init_run(tmp_path / "run", practising()) as run:
        learn(run, 1)
        path = run.iteration_dir(1) / ARCHIVE_NAME
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
        text = learn(run, 2)
        assert "continuing with an empty archive" in text
        assert practised_starts(run, 2) == []
        assert (run.iteration_dir(1) / f"{ARCHIVE_NAME}.quarantined").is_file()
        learn(run, 3)
        assert practised_starts(run, 3)


def test_an_archive_outlives_the_loss_of_the_database(tmp_path):
    path = tmp_path / "run"
    with init_run(path, practising("uniform")) as run:
        learn(run, 2)
        archived = archive_before(run, run.settings(), 3).packed.tobytes()
    for file in path.glob("run.sqlite*"):
        file.unlink()
    with RunDir.open(path) as run:
        rebuild_history(run)
        assert archive_before(run, run.settings(), 3).packed.tobytes() == archived
        learn(run, 3)
        assert practised_starts(run, 3)


def test_a_run_may_begin_and_end_practising(tmp_path):
    with init_run(tmp_path / "run", tiny_settings(**QUICK)) as run:
        learn(run, 1)
        assert not list(run.path.rglob(ARCHIVE_NAME))
        silent = Console(file=StringIO())
        on = run.settings({"selfplay.practice_fraction": 0.5, "selfplay.practice_from": "uniform"})
        for iteration in (2, 3):
            assert run_loop(run, on, iterations=iteration, console=silent)
        assert practised_starts(run, 3)
        learn(run, 4)
        assert practised_starts(run, 4) == []


@pytest.mark.parametrize("fraction", [-0.1, 0.91, float("nan")])
def test_a_fraction_out_of_range_is_refused(fraction):
    with pytest.raises((ConfigError, ValueError)):
        SelfPlaySettings(practice_fraction=fraction)


def test_fingerprints_need_the_coach():
    with pytest.raises(ConfigError, match=r"needs coach\.enabled"):
        practising("fingerprints", **{"coach.enabled": False})


def test_fingerprints_of_a_report_are_practised(tmp_path):
    """The tiny games seldom show a weakness: a report of our own names one."""
    with init_run(tmp_path / "run", practising("fingerprints", **{"coach.every": 100})) as run:
        learn(run, 1)
        assert archive_before(run, run.settings(), 2).num_positions == 0
        fingerprint = {"game": "connect_four", "conditions": [{"trait": "ply", "at_least": 3, "at_most": 9}]}
        weakness = {
            "category": "opening repertoire",
            "description": "test",
            "fingerprint": fingerprint,
            "severity": 0.5,
            "share": 0.2,
        }
        report = {"game": "connect_four", "iteration": 1, "provider": "offline", "weaknesses": [weakness]}
        (run.iteration_dir(1) / "coach.json").write_text(json.dumps(report))
        run.database.set_state("coach_iteration", 1)
        learn(run, 2)
        archive = archive_before(run, run.settings(), 3)
        assert archive.report == 1
        assert archive.num_positions > 0
        learn(run, 3)
        assert practised_starts(run, 3)
