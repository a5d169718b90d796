"""`milton selfplay`, `train`, `arena` and `arena-baseline` on tiny networks of Connect Four and chess."""

import json
import shutil
from pathlib import Path

import chess.pgn
import pytest
from command_line import output_of, refusal_of, runner

from milton.cli.app import app
from milton.errors import ArgumentError, CheckpointError, MiltonError, RunError, ShardError
from milton.nets import read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint
from milton.nets.sizes import SparseSizes
from milton.records import read_games
from milton.rundir import RunDir

QUICK = ("--set", "selfplay.simulations=8", "--set", "selfplay.fast_simulations=8")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def init(name: str, game: str = "connect_four") -> str:
    output_of(
        "init", "--run", name, "--game", game, "--profile", "any-game-quick", "--set", "network.hidden=32"
    )
    return name


def test_selfplay_leaves_exactly_the_games_that_were_asked_for() -> None:
    run = init("mine")
    played = json.loads(output_of("selfplay", "--json", "--games", "12", "--out", "g", "--run", run, *QUICK))
    assert played["num_games"] == 12
    assert played["first_wins"] + played["draws"] + played["second_wins"] == 12
    assert sum(played["end_reasons"].values()) == 12
    games = list(read_games(Path(played["games"])))
    assert sum(len(game.moves) for game in games) == played["num_positions"]
    again = refusal_of("selfplay", "--games", "2", "--out", "g", "--run", run)
    assert isinstance(again, RunError)
    assert "--out" in str(again)


def test_selfplay_of_a_run_is_played_by_its_champion_whatever_network_people_meet() -> None:
    run = init("mine")
    with RunDir.open(Path(run)) as opened:
        deployed = opened.path / "iter_0000" / "deployed.safetensors"
        shutil.copy(opened.champion_checkpoint(), deployed)
        opened.deploy(deployed)
    played = json.loads(output_of("selfplay", "--json", "--games", "2", "--out", "g", "--run", run, *QUICK))
    names = {name for game in read_games(Path(played["games"])) for name in game.players}
    assert names == {"candidate.safetensors"}


def test_selfplay_takes_the_game_from_the_checkpoint() -> None:
    run = init("mine", "chess")
    output_of(
        *("selfplay", "--games", "2", "--out", "g", "--checkpoint", f"{run}/iter_0000/candidate.safetensors"),
        *(*QUICK, "--set", "selfplay.max_plies=20"),
    )
    with Path("g/games.pgn").open() as file:
        assert chess.pgn.read_game(file) is not None


def test_training_by_hand_from_shards_and_from_a_run() -> None:
    run = init("mine")
    output_of("selfplay", "--games", "40", "--out", "g", "--run", run, *QUICK)
    small = ("--set", "train.batch_size=64", "--set", "network.hidden=32")
    trained = json.loads(
        output_of("train", "--json", "--shards", "g", "--epochs", "2", "--out", "n.safetensors", *small)
    )
    expected = -(-2 * (trained["num_positions"] - trained["num_holdout"]) // 64)
    assert trained["plan"]["num_steps"] == expected
    assert read_checkpoint_info(Path("n.safetensors")).description.game == "connect_four"
    error = refusal_of("train", "--run", run, "--out", "m.safetensors")
    assert isinstance(error, ShardError)  # nothing was played yet
    assert not Path("m.safetensors").exists()


def test_training_without_held_out_games_shows_no_figures_of_them() -> None:
    run = init("mine")
    output_of("selfplay", "--games", "4", "--out", "g", "--run", run, *QUICK)
    train = ("train", "--shards", "g", "--epochs", "1", "--set", "network.hidden=32", "--out")
    shown = output_of(*train, "n.safetensors", "--set", "train.holdout_fraction=0")
    assert "(0 held out)" in shown
    assert "training: " in shown
    assert "hold-out: " not in shown


def test_training_by_hand_makes_a_network_wider_where_asked_and_never_narrower() -> None:
    run = init("mine")
    output_of("selfplay", "--games", "10", "--out", "g", "--run", run, *QUICK)
    start = f"{run}/iter_0000/candidate.safetensors"
    train = ("train", "--shards", "g", "--checkpoint", start, "--epochs", "1", "--out")
    for out, asked, expected in (("same", (), 32), ("wide", ("--set", "network.hidden=64"), 64)):
        output_of(*train, out, *asked)
        assert read_checkpoint_info(Path(out)).description.sizes == SparseSizes(hidden=expected)
    wide = ("train", "--shards", "g", "--checkpoint", "wide", "--out", "narrow")
    assert isinstance(refusal_of(*wide, "--set", "network.hidden=32"), ArgumentError)
    assert not Path("narrow").exists()


def test_training_by_hand_lets_a_chess_network_read_more_where_asked() -> None:
    run = init("mine", "chess")
    quick = (*QUICK, "--set", "selfplay.max_plies=20")
    output_of("selfplay", "--games", "2", "--out", "g", "--run", run, *quick)
    train = ("train", "--shards", "g", "--epochs", "1", "--checkpoint")
    output_of(
        *train,
        f"{run}/iter_0000/candidate.safetensors",
        "--out",
        "more",
        "--set",
        "network.encoder=sparse-captures",
    )
    output_of(*train, "more", "--out", "wide", "--set", "network.hidden=64")
    for out, width in (("more", 32), ("wide", 64)):
        description = read_checkpoint_info(Path(out)).description
        assert (description.encoder, description.sizes) == ("sparse-captures", SparseSizes(hidden=width))


def test_training_by_hand_begins_again_where_asked() -> None:
    run = init("mine")
    output_of("selfplay", "--games", "10", "--out", "g", "--run", run, *QUICK)
    (shard,) = Path("g").glob("*.shard")
    folder = Path(run) / "iter_0001"
    folder.mkdir(exist_ok=True)
    shutil.copy(shard, folder / "samples-0000.shard")
    train = ("train", "--json", "--run", run, "--epochs", "1", "--set", "train.learning_rate=1e-9", "--set")
    train = (*train, "train.learning_rate_final=1e-9", "--out")
    kept = json.loads(output_of(*train, "kept"))
    fresh = json.loads(output_of(*train, "fresh", "--fresh", "--seed", "5"))
    assert (kept["plan"]["held"], fresh["plan"]["held"]) == (1.0, 0.3)
    # Steps of next to nothing: one still is the run's network, the other never was.
    first, second, third = (
        load_checkpoint(path).net.state_dict()["features.weight"]
        for path in (folder.parent / "iter_0000/candidate.safetensors", Path("kept"), Path("fresh"))
    )
    assert (first - second).abs().max() < 0.01 < (first - third).abs().max()
    refused = runner.invoke(app, ["train", "--run", run, "--checkpoint", "kept", "--fresh", "--out", "n"])
    assert refused.exit_code == 2


def test_training_needs_one_source() -> None:
    assert runner.invoke(app, ["train", "--out", "n.safetensors"]).exit_code == 2
    Path("empty").mkdir()
    assert isinstance(refusal_of("train", "--shards", "empty", "--out", "n.safetensors"), ShardError)


def test_a_match_is_told_in_words_json_and_games() -> None:
    a, b = init("a"), init("b")
    arguments = ("arena", "--a", a, "--b", b, "--games", "6", "--simulations", "8", "--pgn", "m.jsonl")
    match = json.loads(output_of(*arguments, "--json", "--gate", "threshold"))
    assert match["wins"] + match["draws"] + match["losses"] == match["games"] == 6
    assert 1 <= match["distinct_games"] <= 6
    assert match["promoted"] == (match["score"] >= 0.55)
    assert "distinct" in output_of(*arguments)
    games = list(read_games(Path("m.jsonl")))
    points = {"a": 0.0, "b": 0.0}
    for game in games:
        first, second = game.players
        points[first] += 0.5 if game.winner < 0 else float(game.winner == 0)
        points[second] += 0.5 if game.winner < 0 else float(game.winner == 1)
    assert points["a"] == match["wins"] + match["draws"] / 2


def test_the_same_seed_gives_the_same_match() -> None:
    run = init("mine")
    arguments = ("arena", "--a", run, "--b", "uniform", "--games", "4", "--simulations", "8", "--pgn")
    for name in ("1.jsonl", "2.jsonl"):
        output_of(*arguments, name, "--seed", "5", "--threads", "1")
    output_of(*arguments, "3.jsonl", "--seed", "6", "--threads", "1")
    first, second, other = (Path(f"{n}.jsonl").read_text() for n in (1, 2, 3))
    assert first == second != other


def test_games_of_chess_are_written_as_pgn() -> None:
    run = init("mine", "chess")
    output_of(
        *("arena-baseline", "--checkpoint", run, "--games", "2", "--simulations", "4", "--pgn", "m.pgn"),
        *("--set", "arena.max_plies=12"),
    )
    with Path("m.pgn").open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert {game.headers["White"], game.headers["Black"]} == {"mine", "uniform-4"}


@pytest.mark.parametrize("opponent", ["uniform", "mcts"])
def test_baselines_play_varied_openings(opponent: str) -> None:
    run = init("mine")
    arguments = ("arena-baseline", "--checkpoint", run, "--games", "10", "--simulations", "8")
    more = ("--opponent", opponent, "--opponent-simulations", "16")
    match = json.loads(output_of(*arguments, *more, "--json"))
    assert match["b"] == f"{opponent}-16"
    assert match["distinct_games"] >= 8


def test_each_side_of_a_match_may_have_settings_of_its_own() -> None:
    run = init("mine")
    arguments = ("arena", "--json", "--a", run, "--b", run, "--games", "8", "--simulations", "16")
    changed = json.loads(output_of(*arguments, "--set-a", "arena.simulations=64"))
    assert changed["simulations"] == [64, 16]
    level = json.loads(output_of(*arguments))
    assert level["wins"] == level["losses"]  # the same player twice: every pair is shared
    explored = json.loads(output_of(*arguments, "--set-b", "search.c_puct=0.01"))
    assert (explored["wins"], explored["draws"]) != (level["wins"], level["draws"])


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (["arena", "--a", "absent", "--b", "uniform"], ArgumentError, "'absent'"),
        (["arena", "--a", "uniform", "--b", "mcts"], ArgumentError, "--game"),
        (["arena", "--a", "junk", "--b", "uniform"], CheckpointError, "junk"),
        (["selfplay", "--games", "1", "--out", "g", "--checkpoint", "junk"], CheckpointError, "junk"),
        (["selfplay", "--games", "1", "--out", "g", "--run", "absent"], RunError, "'absent'"),
        (["train", "--shards", "junk", "--out", "n"], ShardError, "junk"),
    ],
)
def test_refusals_name_what_is_wrong(arguments: list[str], kind: type[MiltonError], words: str) -> None:
    Path("junk").write_bytes(b"nothing of the kind")
    error = refusal_of(*arguments)
    assert isinstance(error, kind)
    assert words in str(error)


def test_networks_of_two_games_cannot_meet() -> None:
    error = refusal_of("arena", "--a", init("a"), "--b", init("b", "chess"))
    assert "chess, connect_four" in str(error)
