"""A whole experiment with real loops and matches, killed in the middle."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from short_loop import TINY
from small_nets import SMALL_NETS, write_net

from milton.errors import ArgumentError, RunError
from milton.experiment import Experiment, read_plan
from milton.experiment.learning import learn

_PLAN = """
question = "Does a wider network learn more?"
game = "connect_four"
profile = "any-game-quick"
seeds = [3]
iterations = 1
{settings}
[[arms]]
name = "narrow"

[[arms]]
name = "wide"
settings.network.hidden = 64

[matches]
games = 4
simulations = 4
opponents = ["mcts-5"]
"""


def write_plan(folder: Path) -> Path:
    values = {name: value for name, value in TINY.items() if name != "loop.game"} | {"arena.gate": "none"}
    lines = [f"settings.{name} = {json.dumps(value)}" for name, value in values.items()]
    file = folder / "width.toml"
    file.write_text(_PLAN.format(settings="\n".join(lines)))
    return file


def test_a_killed_experiment_goes_on_and_writes_its_figures(tmp_path: Path) -> None:
    file, out = write_plan(tmp_path), tmp_path / "out"
    command = [sys.executable, "-m", "milton.cli", "experiment", str(file), "--out", str(out)]
    environment = {**os.environ, "MILTON_HOME": str(tmp_path / "home")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as killed:
        assert killed.stderr is not None
        for line in killed.stderr:
            if line.startswith("1 of 5 done"):
                break
        os.kill(killed.pid, signal.SIGKILL)
    first = (out / "narrow-3" / "champion").read_text()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "0 of 5 done" not in done.stderr  # the first arm was finished
    assert (out / "narrow-3" / "champion").read_text() == first
    report = (out / "report.md").read_text()
    assert report in done.stdout
    assert "Single seed" in report
    assert "## wide against narrow" in report
    assert "| narrow | 3 | 4 |" in report
    # Everything is finished: nothing is played again, another plan is refused.
    again = Experiment(read_plan(file), out)
    again.conduct()
    assert len(again.runs) == 2
    assert len(again.matches) == 3
    file.write_text(file.read_text().replace("network.hidden = 64", "network.hidden = 96"))
    with pytest.raises(ArgumentError, match="other arm wide"):
        Experiment(read_plan(file), out)


def test_a_run_ends_when_its_processor_time_is_used_up(tmp_path: Path) -> None:
    heard: list[float] = []
    busy = [sys.executable, "-c", "while True: pass"]
    used_s = learn(busy, tmp_path, "busy.log", budget_s=1.2, used_s=1.0, on_time=heard.append)
    assert used_s >= 1.2
    assert heard[-1] == used_s
    assert "KeyboardInterrupt" in (tmp_path / "busy.log").read_text()


def test_a_run_ends_even_where_the_shell_ignores_interrupts(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as for `nohup milton experiment ... &`
    try:
        busy = [sys.executable, "-c", "while True: pass"]
        learn(busy, tmp_path, "busy.log", budget_s=1.2, used_s=1.0, on_time=lambda _: None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert "KeyboardInterrupt" in (tmp_path / "busy.log").read_text()


def test_networks_from_elsewhere_meet_as_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    given = write_net(tmp_path / "given-7.safetensors", SMALL_NETS["sparse-chess"])
    file = tmp_path / "pupils.toml"
    file.write_text(
        f"""
question = "Does the copy play like the original?"
game = "chess"
seeds = [7]
matches.games = 2
matches.limit = "nodes:1"

[[arms]]
name = "given"
network = "{tmp_path}/given-{{seed}}.safetensors"

[[arms]]
name = "copied"
command = "cp {given} {{out}}"
"""
    )
    experiment = Experiment(read_plan(file), tmp_path / "out")
    experiment.conduct()
    (match,) = experiment.matches
    assert (match.arm, match.opponent, match.counts.num_games) == ("copied", "given", 2)
    # The same network on both sides: what one game wins the other loses.
    assert match.counts.score == 0.5
    assert all(run.done for run in experiment.runs)


def test_an_arm_whose_command_fails_says_where_its_words_are(tmp_path: Path) -> None:
    file = tmp_path / "pupils.toml"
    arms = '[[arms]]\nname = "a"\ncommand = "ls {out}"\n[[arms]]\nname = "b"\nnetwork = "b"\n'
    file.write_text(f'game = "chess"\nseeds = [1]\n{arms}')
    with pytest.raises(RunError, match=r"a-1\.log"):
        Experiment(read_plan(file), tmp_path / "out").conduct()
