import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rating_players import needs_stockfish
from small_methods import trained

from milton.replay import ShardReader

RunMilton = Callable[..., subprocess.CompletedProcess[str]]
QUICK_Q = ("--game", "connect_four", "--minutes", "1", "--set", "games=50")


def test_a_method_is_trained_inspected_and_played(run_milton: RunMilton, tmp_path: Path) -> None:
    out = str(tmp_path / "q.lab")
    made = run_milton("lab", "train", "q-learning", "--out", out, *QUICK_Q, "--json")
    assert made.returncode == 0, made.stderr
    report = json.loads(made.stdout)
    assert report["games"] == 50
    assert report["was_interrupted"] is False
    seen = run_milton("lab", "inspect", out, "--json")
    assert len(json.loads(seen.stdout)["values"]) > 1
    match = ("arena", "--a", out, "--b", "mcts", "--simulations", "5", "--games", "2", "--json")
    assert run_milton(*match, "--game", "chess").returncode == 1
    played = run_milton(*match)  # its file says which game it plays
    assert json.loads(played.stdout)["meetings"][0]["games"] == 2, played.stderr


def test_a_person_can_play_a_method(tmp_path: Path) -> None:
    trained("mcts", tmp_path / "m.lab")
    game = subprocess.run(
        [
            sys.executable,
            "-m",
            "milton.cli",
            "lab",
            "play",
            str(tmp_path / "m.lab"),
            "--set",
            "simulations=5",
        ],
        input="d\nhint\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert game.returncode == 0, game.stderr
    assert "you play first against mcts" in game.stdout
    assert "engine: " in game.stdout


def test_a_policy_is_exported_and_its_curve_is_shown(run_milton: RunMilton, tmp_path: Path) -> None:
    learnt = tmp_path / "r.lab"
    trained("reinforce", learnt)
    exported = run_milton("lab", "export", str(learnt), "--json")
    assert exported.returncode == 0, exported.stderr
    written = json.loads(exported.stdout)
    assert (written["method"], written["game"]) == ("reinforce", "connect_four")
    assert Path(written["file"]) == tmp_path / "r.safetensors"
    content = Path(written["file"]).read_bytes()
    assert written["sha256"] == hashlib.sha256(content).hexdigest()

    svg = tmp_path / "curve.svg"
    shown = run_milton("lab", "curve", str(learnt), "--svg", str(svg), "--json")
    assert shown.returncode == 0, shown.stderr
    curve = json.loads(shown.stdout)
    assert Path(curve["svg"]) == svg
    assert svg.read_text().startswith("<svg")
    assert len(curve["points"]) >= 1
    assert set(curve["points"][0]) == {"seconds", "games", "elo"}
    lines = run_milton("lab", "curve", str(learnt)).stdout.splitlines()
    assert len(lines) == len(curve["points"])
    assert all(re.search(r"min +[\d,]+ games  .*Elo", line) for line in lines)


def test_playouts_make_training_data_that_networks_can_learn_from(
    run_milton: RunMilton, tmp_path: Path
) -> None:
    made = run_milton(
        *("lab", "generate", "--games", "3", "--out", str(tmp_path), "--game", "connect_four"),
        *("--set", "simulations=20", "--threads", "1", "--json"),
    )
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["num_games"] == 3
    blocks = list(ShardReader(tmp_path / "samples-0000.shard").blocks())
    assert {name for block in blocks for name in block.network_names} == {"mcts-20"}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("train", "alchemy"), "expected a method of mcts, q-learning"),
        (("train", "q-learning", "--set", "alfa=1"), "alfa"),
        (("play", "missing.lab"), "no file 'missing.lab'"),
        (("play", "alchemy"), "expected a method of mcts, q-learning"),
        (("export", "{q}", "--out", "x"), "q-learning has no network"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    run_milton: RunMilton, tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    if "{q}" in words:
        trained("q-learning", tmp_path / "q.lab")
    refused = run_milton("lab", *(word.format(q=tmp_path / "q.lab") for word in words))
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert problem in refused.stderr


@needs_stockfish
@pytest.mark.slow
def test_a_small_comparison_writes_its_table_and_picture(run_milton: RunMilton, tmp_path: Path) -> None:
    done = run_milton(
        *("lab", "compare", "--minutes", "0.02", "--games", "2", "--only", "evolution,q-learning"),
        *("--out", str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "compare.md").read_text()
    for name in ("evolution", "q-learning", "mcts-1000", "greedy", "stockfish-skill-0", "champion"):
        assert name in table
    assert (tmp_path / "compare.svg").read_text().startswith("<svg")


@needs_stockfish
@pytest.mark.slow
def test_families_are_compared_on_equal_time(run_milton: RunMilton, tmp_path: Path) -> None:
    done = run_milton(
        *("lab", "families", "--minutes", "0.02", "--positions", "2000", "--games", "2", "--seconds", "0.01"),
        *("--only", "sparse,tower-4x32-se", "--out", str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    assert "| tower-4x32-se |" in (tmp_path / "families.md").read_text()
