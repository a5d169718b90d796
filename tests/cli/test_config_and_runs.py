"""`milton config` and `milton runs` as a person or a program meets them."""

import json
import tomllib
from pathlib import Path

import pytest
from command_line import output_of, runner

from milton.cli.app import app
from milton.config import Settings
from milton.errors import ConfigError
from milton.rundir import RunDir


@pytest.fixture(autouse=True)
def no_settings_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))


def test_show_explains_value_meaning_and_source() -> None:
    shown = json.loads(output_of("config", "show", "--json", "--set", "train.batch_size=64"))
    assert shown["train.batch_size"]["value"] == 64
    assert shown["train.batch_size"]["source"] == "command line"
    assert shown["loop.game"]["source"] == "profile chess-cpu"
    assert "Positions per step" in output_of("config", "show")


def test_show_leaves_out_defaults_also_those_that_a_run_wrote_down(tmp_path: Path) -> None:
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick", {"train.batch_size": 63})) as run:
        written = tomllib.loads((run.path / "milton.toml").read_text())
    assert written["arena"]["gate"] == Settings().arena.gate
    shown = json.loads(output_of("config", "show", "--run", str(tmp_path / "run"), "--set-only", "--json"))
    assert shown["train.batch_size"]["value"] == 63
    assert "arena.gate" not in shown
    assert len(shown) < 40
    table = output_of("config", "show", "--run", str(tmp_path / "run"), "--set-only")
    assert "train.batch_size" in table
    assert "arena.gate" not in table


def test_show_can_print_a_complete_file() -> None:
    text = output_of("config", "show", "--profile", "santorini-reference", "--toml")
    assert Settings.model_validate(tomllib.loads(text)) == Settings.profile("santorini-reference")


def test_check_accepts_right_files_and_refuses_wrong_ones(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[train]\nbatch_size = 64\n")
    assert "sets 1 key on top of profile chess-cpu" in output_of("config", "check", str(path))
    path.write_text("[train]\nbatchsize = 64\n")
    result = runner.invoke(app, ["config", "check", str(path)])
    assert isinstance(result.exception, ConfigError)
    assert "did you mean 'batch_size'" in str(result.exception)


def test_profiles_are_listed() -> None:
    assert json.loads(output_of("config", "profiles", "--json")).keys() >= {
        "chess-cpu",
        "chess-reference",
        "santorini-reference",
        "any-game-quick",
    }


def test_runs_are_listed(tmp_path: Path) -> None:
    assert "no runs" in output_of("runs", "--root", str(tmp_path))
    RunDir.create(tmp_path / "first", Settings.profile("any-game-quick")).close()
    assert "first" in output_of("runs", "--root", str(tmp_path))
    (listed,) = json.loads(output_of("runs", "--root", str(tmp_path), "--json"))
    assert (listed["name"], listed["game"], listed["running_pid"]) == ("first", "chess", None)
