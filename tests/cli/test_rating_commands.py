import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from small_nets import SMALL_NETS, write_net

RunMilton = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def network(tmp_path: Path) -> str:
    return str(write_net(tmp_path / "net.safetensors", SMALL_NETS["sparse-connect-four"]))


def test_rate_prints_scores_and_ratings(run_milton: RunMilton, network: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    rated = run_milton(
        *("rate", "--checkpoint", network, "--opponents", "random,mcts-5"),
        *("--games", "4", "--simulations", "4", "--pgn", str(games), "--json"),
    )
    assert rated.returncode == 0, rated.stderr
    report = json.loads(rated.stdout)
    assert [meeting["opponent"] for meeting in report["meetings"]] == ["random", "mcts-5"]
    for meeting in report["meetings"]:
        assert meeting["wins"] + meeting["draws"] + meeting["losses"] == meeting["games"] == 4
        assert meeting["score_low"] <= meeting["score"] <= meeting["score_high"]
        assert meeting["faults"] == []
    assert {rating["player"] for rating in report["ratings"]} == {"net@nodes:4", "random", "mcts-5"}
    assert len(games.read_text().splitlines()) == 8


def test_rate_changes_the_search_of_our_side_only(run_milton: RunMilton, network: str) -> None:
    twin = shutil.copy(network, Path(network).with_name("twin.safetensors"))
    words = ("rate", "--checkpoint", network, "--opponents", f"{twin}", "--simulations", "30")
    scores = []
    for change in ("search.c_puct=1.75", "search.c_puct=50"):
        rated = run_milton(*words, "--games", "4", "--set", change, "--json")
        assert rated.returncode == 0, rated.stderr
        scores.append([meeting["score"] for meeting in json.loads(rated.stdout)["meetings"]])
    assert scores[0] == [0.5]  # the same player on both sides: what one game wins the other loses
    assert scores[1] != [0.5]


def test_rate_takes_settings_of_the_search_only(run_milton: RunMilton, network: str) -> None:
    refused = run_milton("rate", "--checkpoint", network, "--set", "train.batch_size=64")
    assert refused.returncode == 2
    assert "train.batch_size" in refused.stderr


def test_tournament_prints_a_crosstable(run_milton: RunMilton) -> None:
    played = run_milton("tournament", "random", "mcts-5", "--game", "connect_four", "--games", "2")
    assert played.returncode == 0, played.stderr
    assert "mcts-5" in played.stdout
    assert "/2" in played.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--opponents", "nobody"), "nobody"),
        (("--tc", "fast"), "'fast'"),
        (("--opponents", "random", "--anchored"), "--anchored"),
        (("--opponents", "random", "--set", "search.c_puct=0"), "c_puct must be"),
    ],
)
def test_what_cannot_be_rated_is_refused_in_one_line(
    run_milton: RunMilton, network: str, words: tuple[str, ...], problem: str
) -> None:
    refused = run_milton("rate", "--checkpoint", network, "--games", "2", *words)
    assert refused.returncode == 1
    assert problem in refused.stderr.splitlines()[-1]
