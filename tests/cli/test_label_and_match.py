"""`milton label` and `milton arena --nodes`: value targets and matches by the search that people meet."""

import json
import shutil
from pathlib import Path

import chess.pgn
import pytest
from command_line import output_of, refusal_of, runner

from milton.cli.app import app
from milton.errors import ArgumentError
from milton.play import shipped_champion
from milton.replay import PositionFlag, ShardReader, has_flag, labels_path, read_labels
from milton.rundir import RunDir

QUICK = ("--set", "selfplay.simulations=8", "--set", "selfplay.fast_simulations=8")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def init(name: str, game: str = "chess") -> str:
    output_of(
        "init", "--run", name, "--game", game, "--profile", "any-game-quick", "--set", "network.hidden=32"
    )
    return name


def games_of(run: str) -> Path:
    played = json.loads(
        output_of("selfplay", "--json", "--games", "1", "--out", "games", "--run", run, *QUICK)
    )
    return Path(played["shard"])


def num_to_learn_from(shard: Path) -> int:
    reader = ShardReader(shard)
    blocks = [reader.read(entry) for entry in reader.new_entries(is_complete=True)]
    return sum(int((~has_flag(block.flags, PositionFlag.RANDOM_OPENING)).sum()) for block in blocks)


def test_labels_depend_on_network_and_nodes_and_serve_training() -> None:
    shard = games_of(init("mine"))
    label = ("label", "--shards", "games", "--json")
    told = json.loads(output_of(*label, "--nodes", "20", "--checkpoint", "mine", "--threads", "1"))
    assert told["positions"] == num_to_learn_from(shard)
    assert (told["shards"], told["nodes"]) == (1, 20)
    first = labels_path(shard).read_bytes()
    output_of(*label, "--nodes", "20", "--checkpoint", "mine", "--threads", "2")
    assert labels_path(shard).read_bytes() == first
    output_of(*label, "--nodes", "20")  # by the shipped network
    assert labels_path(shard).read_bytes() != first
    assert sum(len(values) for values in read_labels(shard).values()) >= told["positions"]
    train = ("train", "--shards", "games", "--epochs", "1", "--profile", "any-game-quick", "--json")
    with_labels, without = (
        json.loads(output_of(*train, "--out", "net", "--set", f"train.label_share={share}"))
        for share in (1.0, 0.0)
    )
    assert with_labels["losses"]["value_loss"] != without["losses"]["value_loss"]


def test_labels_of_a_run_are_its_own() -> None:
    shard = games_of(init("mine"))
    folder = Path("mine/iter_0001")
    folder.mkdir()
    shutil.copy(shard, folder / "samples-0000.shard")
    error = refusal_of("label", "--shards", "mine")
    assert isinstance(error, ArgumentError)
    assert "copy its shards" in str(error)
    assert not labels_path(folder / "samples-0000.shard").exists()


def test_what_cannot_be_labelled_is_refused() -> None:
    games_of(init("other", "connect_four"))
    assert "connect_four" in str(refusal_of("label", "--shards", "games"))
    shutil.rmtree("games")
    games_of(init("mine"))
    santorini = shipped_champion("santorini")
    assert "santorini" in str(refusal_of("label", "--shards", "games", "--checkpoint", str(santorini)))


def test_a_match_by_nodes_is_played_by_alpha_beta_from_level_openings() -> None:
    champion = str(shipped_champion("chess"))
    match = ("arena", "--a", champion, "--b", "uniform", "--nodes", "40", "--games", "4", "--game", "chess")
    told = json.loads(output_of(*match, "--json", "--pgn", "m.pgn"))
    assert told["algorithms"] == ["alphabeta", "mcts"]  # no network, no alpha-beta
    assert (told["nodes"], told["games"], told["wins"]) == (40, 4, 4)
    assert told["elo"]["high"] is None
    with Path("m.pgn").open() as file:
        games = [chess.pgn.read_game(file) for _ in range(4)]
    assert [game.headers["Round"] for game in games if game] == ["1.1", "1.2", "2.1", "2.2"]
    assert {game.headers["Algorithm"] for game in games if game} == {"alphabeta and mcts"}
    assert "alphabeta" in output_of(*match)


def test_a_run_stands_for_its_deployed_network() -> None:
    champion = shipped_champion("chess")
    assert champion is not None
    init("mine")
    with RunDir.open(Path("mine")) as opened:
        deployed = opened.path / "iter_0000" / "deployed.safetensors"
        shutil.copy(champion, deployed)
        opened.deploy(deployed)
    match = ("arena", "--json", "--a", "mine", "--b", str(champion), "--nodes", "30", "--games", "2")
    told = json.loads(output_of(*match))
    assert told["score"] == 0.5  # the same network twice
    assert told["a"] == "mine"
    explored = json.loads(output_of(*match, "--set-a", "search.algorithm=mcts"))
    assert explored["algorithms"] == ["mcts", "alphabeta"]


@pytest.mark.parametrize(
    "more", [["--simulations", "8"], ["--gate", "sprt"], ["--cluster", "local"]], ids=lambda more: more[0]
)
def test_options_of_the_gate_do_not_go_with_nodes(more: list[str]) -> None:
    result = runner.invoke(app, ["arena", "--a", "uniform", "--b", "uniform", "--nodes", "8", *more])
    assert result.exit_code == 2
    assert "--nodes" in result.output


def test_random_games_know_no_nodes() -> None:
    error = refusal_of("arena", "--a", "mcts", "--b", "uniform", "--nodes", "8", "--game", "connect_four")
    assert "--nodes" in str(error)
