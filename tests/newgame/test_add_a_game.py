"""docs/add-a-game.md is true: a game that only follows it is played, searched, learnt and shown."""

import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from page_scenarios import missing_for_browser

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "add-a-game.md"
TINY = (
    "loop.samples_per_iter=300",
    "loop.threads=1",
    "selfplay.simulations=16",
    "selfplay.fast_simulations=8",
    "network.hidden=32",
    "train.batch_size=64",
    "arena.games=4",
    "arena.simulations=8",
    "arena.opening_plies=2",
    "arena.ladder_games=2",
    "coach.every=1",
)


def _tree_module():
    spec = importlib.util.spec_from_file_location("newgame_tree", HERE / "tree.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_names_every_file_that_the_game_of_the_tests_has():
    text = PAGE.read_text().replace("connect_four", "nim")
    files = [path for path in (HERE / "nim").rglob("*") if path.is_file()]
    assert len(files) == 3
    for path in files:
        assert f"`{path.relative_to(HERE / 'nim').as_posix()}`" in text


def test_the_page_explains_every_key_of_a_declaration():
    from milton.gameinfo import GameInfo

    explained = set(re.findall(r"^\| `(\w+)`", PAGE.read_text(), re.M))
    assert set(GameInfo.model_fields) - {"name"} <= explained


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    tree = _tree_module().Tree(tmp_path_factory.mktemp("newgame") / "milton")
    tree.path.mkdir()
    tree.follow_the_page()
    return tree


@pytest.mark.slow
def test_the_rules_of_the_new_game_are_counted(tree):
    counted = tree.run("milton.cli", "perft", "--game", "nim", "--depth", 3, "--json")
    assert json.loads(counted)["nodes"] == 27


@pytest.mark.slow
def test_the_new_game_passes_the_contract_of_all_games(tree):
    tree.run("pytest", "-q", "-p", "no:cacheprovider", HERE.parent / "contract", "-k", "nim")


@pytest.mark.slow
def test_a_network_learns_the_new_game_and_the_coach_says_that_it_has_no_traits(tree, tmp_path):
    run = tmp_path / "run"
    changes = [part for change in TINY for part in ("--set", change)]
    tree.run("milton.cli", "init", "--run", run, "--game", "nim", *changes)
    tree.run(
        "milton.cli",
        "loop",
        "--run",
        run,
        "--iterations",
        1,
        "--plain",
        "--no-dashboard",
        "--cluster",
        "none",
    )
    from milton.nets.safetensors_file import SafetensorsReader

    with SafetensorsReader(run / "iter_0001" / "candidate.safetensors") as reader:
        assert reader.header.metadata["game"] == "nim"
    report = json.loads((run / "iter_0001" / "coach.json").read_text())
    assert report["statistic"].startswith("openings only, because the game declares no traits")
    inspected = tree.run("milton.cli", "inspect", "--game", "nim", "--run", run, "--json")
    assert {entry["move"] for entry in json.loads(inspected)["moves"]} == {"1", "2", "3"}


@pytest.mark.slow
def test_the_page_has_a_board_for_the_new_game(tree, tmp_path):
    if reason := missing_for_browser():
        pytest.skip(reason)
    run = tmp_path / "run"
    tree.run("milton.cli", "init", "--run", run, "--game", "nim", "--set", "network.hidden=32")
    tree.build_page()
    task = {"milton": tree.command("milton.cli"), "run": str(run), "folder": str(tmp_path)}
    words = ["node", HERE / "board.mjs", json.dumps(task)]
    environment = os.environ | {"PYTHONPATH": str(tree.path / "src")}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
