import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

RunMilton = Callable[..., subprocess.CompletedProcess[str]]
MATCH = ("sprt", "champion", "champion", "--a-option", "CPuct=3.0", "--nodes", "8", "--concurrency", "1")


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "state"))


def test_sprt_reports_both_sides_the_test_and_the_referee(run_milton: RunMilton, tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    played = run_milton(*MATCH, "--games", "4", "--pgn", str(pgn), "--json")
    assert played.returncode == 0, played.stderr
    report = json.loads(played.stdout)
    assert [player["name"] for player in report["players"]] == ["milton (A)", "milton (B)"]
    assert [player["hash_mb"] for player in report["players"]] == ["16", "16"]
    assert [player["overhead_ms"] for player in report["players"]] == ["10", "10"]
    assert report["players"][0]["options"]["CPuct"] == "3.0"
    assert report["games"] == 4 == report["wins"] + report["draws"] + report["losses"]
    assert sum(report["pentanomial"]) == 2
    assert report["decision"] == "continue"
    assert report["referee"]["draw"] == {"from_move": 40, "moves": 8, "centipawns": 10}
    assert pgn.read_text().count('[White "milton (A)"]') == 2


def test_a_killed_sprt_goes_on_where_it_was(run_milton: RunMilton, tmp_path: Path) -> None:
    state = tmp_path / "match.jsonl"
    words = (*MATCH, "--state", str(state), "--games")
    command = [sys.executable, "-m", "milton.cli", *words, "200"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        for line in killed.stdout:
            if line.startswith("2 games"):
                break
        os.kill(killed.pid, signal.SIGKILL)
    before = len(state.read_bytes().splitlines()) - 1
    assert before >= 1
    resumed = run_milton(*words, str(2 * before + 2))
    assert resumed.returncode == 0, resumed.stderr
    assert f"resumes after {2 * before} games" in resumed.stdout
    assert len(state.read_bytes().splitlines()) - 1 == before + 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("champion", "nobody"), "nobody"),
        (("champion", "champion", "--a-option", "Nonsense=1"), "no option 'Nonsense'"),
        (("champion", "champion", "--elo0", "5", "--elo1", "0"), "elo0"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_one_line(
    run_milton: RunMilton, words: tuple[str, ...], problem: str
) -> None:
    refused = run_milton("sprt", *words)
    assert refused.returncode == 1
    assert problem in refused.stderr.splitlines()[-1]
