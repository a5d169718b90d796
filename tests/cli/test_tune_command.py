import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

RunMilton = Callable[..., subprocess.CompletedProcess[str]]
FILE = """
[[parameters]]
name = "CPuct"
start = 1.75
min = 0.5
max = 4.0
c_end = 0.3

[[parameters]]
name = "MultiPV"
start = 4
min = 1
max = 8
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "state"))
    path = tmp_path / "search.toml"
    path.write_text(FILE)
    return path


def test_a_killed_tuning_goes_on_and_writes_its_values(run_milton: RunMilton, file: Path) -> None:
    words = ("tune", str(file), "--option", "Algorithm=mcts", "--nodes", "4", "--concurrency", "1")
    words += ("--iterations", "8")
    with subprocess.Popen(
        [sys.executable, "-m", "milton.cli", *words], stdout=subprocess.PIPE, text=True
    ) as killed:
        assert killed.stdout is not None
        for line in killed.stdout:
            if line.startswith("1:"):
                break
        os.kill(killed.pid, signal.SIGKILL)
    done = json.loads(file.with_suffix(".state.json").read_text())["done"]
    assert 1 <= done < 8
    resumed = run_milton(*words)
    assert resumed.returncode == 0, resumed.stderr
    assert f"resumes after {done} iterations" in resumed.stdout
    assert json.loads(file.with_suffix(".state.json").read_text())["done"] == 8
    values = tomllib.loads(file.with_suffix(".values.toml").read_text())["options"]
    assert set(values) == {"CPuct", "MultiPV"}
    assert isinstance(values["MultiPV"], int)
    assert values["CPuct"] != 1.75
    # Another tuning does not go on with these values.
    other = run_milton(*words[:-1], "12")
    assert other.returncode == 1
    assert "another tuning (other iterations)" in other.stderr


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("max = 8", "max = 1000"), "goes from 1 to 256, got 1000"),
        (("MultiPV", "Nonsense"), "no option 'Nonsense'"),
        (("start = 4", "begin = 4"), "parameters.2.start"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_one_line(
    run_milton: RunMilton, file: Path, change: tuple[str, str], problem: str
) -> None:
    file.write_text(FILE.replace(*change))
    refused = run_milton("tune", str(file), "--nodes", "4")
    assert refused.returncode == 1
    assert problem in refused.stderr.splitlines()[-1]


SCREEN = """
[[factors]]
name = "CPuct"
low = 0.5
high = 4.0

[[factors]]
name = "MultiPV"
low = 1
high = 2
"""


def test_a_screening_estimates_all_options_and_takes_more_pairs_later(
    run_milton: RunMilton, file: Path
) -> None:
    file.write_text(SCREEN)
    words = ("screen", str(file), "--option", "Algorithm=mcts", "--nodes", "4", "--concurrency", "1")
    first = run_milton(*words, "--pairs", "2")
    assert first.returncode == 0, first.stderr
    assert "2 of 2 pairs, 0 faults" in first.stdout
    assert "CPuct" in first.stdout
    assert "MultiPV" in first.stdout
    more = run_milton(*words, "--pairs", "3", "--json")
    assert more.returncode == 0, more.stderr
    figures = json.loads(more.stdout)
    assert (figures["pairs"], figures["of"]) == (3, 3)
    assert [effect["name"] for effect in figures["effects"]] == ["CPuct", "MultiPV"]
    refused = run_milton("screen", str(file), "--nodes", "4", "--seed", "9")
    assert refused.returncode == 1
    assert "another screening" in refused.stderr
