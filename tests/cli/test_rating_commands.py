import json
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
    ],
)
def test_what_cannot_be_rated_is_refused_in_one_line(
    run_milton: RunMilton, network: str, words: tuple[str, ...], problem: str
) -> None:
    refused = run_milton("rate", "--checkpoint", network, "--games", "2", *words)
    assert refused.returncode == 1
    assert problem in refused.stderr.splitlines()[-1]
