"""`milton init`, `loop` and `status` as a person or a program meets them, on tiny runs of Connect Four."""

import json
from pathlib import Path

import pytest
import torch
from command_line import output_of, refusal_of, runner

from milton.cli.app import app
from milton.errors import ArgumentError, CheckpointError, ConfigError, MiltonError, RunError
from milton.nets import read_checkpoint_info
from milton.nets.checkpoint import load_checkpoint
from milton.play import shipped_champion
from milton.rundir import RunDir

TINY = (
    "loop.samples_per_iter=600",
    "network.hidden=32",
    "train.batch_size=128",
    "selfplay.simulations=8",
    "selfplay.fast_simulations=8",
    "arena.games=4",
    "arena.simulations=8",
    "arena.gate=none",
    "arena.ladder_games=2",
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def changes(*more: str) -> list[str]:
    return [word for change in (*TINY, *more) for word in ("--set", change)]


def tiny(*more: str) -> list[str]:
    return ["--profile", "any-game-quick", "--game", "connect_four", *changes(*more)]


def test_init_makes_a_run_with_a_first_champion() -> None:
    made = json.loads(output_of("init", "--json", "--run", "mine", *tiny("loop.seed=7")))
    assert (made["run"], made["game"], made["profile"]) == ("mine", "connect_four", "any-game-quick")
    with RunDir.open(Path("mine"), writable=False) as run:
        assert run.champion().sha256 == made["sha256"]
        assert run.settings().loop.seed == 7
    assert isinstance(refusal_of("init", "--run", "mine"), RunError)


def test_the_seed_decides_the_first_weights() -> None:
    made = [
        json.loads(output_of("init", "--json", "--run", name, "--seed", seed, *tiny()))["sha256"]
        for name, seed in (("a", "1"), ("b", "1"), ("c", "2"))
    ]
    # Provenance names the run, so the files differ; the weights must not.
    weights = [load_checkpoint(Path(name) / "iter_0000/candidate.safetensors").net for name in "abc"]
    sums = [sum(float(p.detach().double().abs().sum()) for p in net.parameters()) for net in weights]
    assert sums[0] == sums[1] != sums[2]
    assert len(made) == 3


def test_init_starts_from_a_file_only_if_it_fits() -> None:
    output_of("init", "--run", "a", *tiny())
    checkpoint = "a/iter_0000/candidate.safetensors"
    made = json.loads(output_of("init", "--json", "--run", "b", "--network", checkpoint, *tiny()))
    assert made["champion"] == "iter_0000/candidate.safetensors"
    output_of("init", "--run", "e", "--network", "a", *tiny())  # a run folder
    weights = [load_checkpoint(Path(run) / made["champion"]).net.state_dict() for run in "abe"]
    assert all(torch.equal(weights[0][name], found[name]) for found in weights[1:] for name in weights[0])
    wider = refusal_of("init", "--run", "c", "--network", checkpoint, *tiny("network.hidden=64"))
    assert isinstance(wider, CheckpointError)
    assert not Path("c").exists()
    Path("bad.safetensors").write_bytes(b"nothing of the kind")
    assert isinstance(
        refusal_of("init", "--run", "d", "--network", "bad.safetensors", *tiny()), CheckpointError
    )


@pytest.mark.parametrize("game", ["chess", "santorini"])
def test_a_run_may_start_from_the_shipped_champion_whatever_its_width(game: str) -> None:
    output_of("init", "--run", "a", "--game", game, "--network", "champion")
    shipped = shipped_champion(game)
    assert shipped is not None
    first = read_checkpoint_info(Path("a/iter_0000/candidate.safetensors")).description
    assert first == read_checkpoint_info(shipped).description
    assert f"hidden = {first.sizes.hidden}" in Path("a/milton.toml").read_text()


def test_a_loop_without_a_run_makes_one_named_after_the_game() -> None:
    text = output_of("loop", "--iterations", "1", *tiny())
    assert "new run runs/connect_four-quick" in text  # a trial keeps its limits away from the real run
    assert [
        line.split(":")[1].split()[0] for line in text.splitlines() if line.startswith("iteration 1")
    ] == [
        "self-play",
        "trained",
        "ladder",
    ]
    assert "--iterations 0" in text.splitlines()[-1]
    assert {path.name for path in Path("runs/connect_four-quick/iter_0001").iterdir()} >= {
        "samples-0000.shard",
        "games.jsonl",
        "candidate.safetensors",
    }


def test_a_loop_goes_on_with_the_settings_of_its_run() -> None:
    output_of("loop", "--iterations", "1", "--run", "mine", *tiny())
    result = runner.invoke(
        app,
        [
            "loop",
            "--run",
            "mine",
            "--game",
            "connect_four",
            "--profile",
            "chess-cpu",
            "--iterations",
            "2",
            "--set",
            "arena.games=6",
        ],
        catch_exceptions=False,
    )
    assert result.exit_code == 0
    assert "run mine resumes with iteration 2, self-play" in result.stdout
    assert "mine has 2 iterations" in result.stdout
    assert "--profile chess-cpu is not used" in result.stderr
    assert "arena.games for this call" in result.stderr
    with RunDir.open(Path("mine"), writable=False) as run:
        assert run.latest_iteration() == 2
        assert run.settings().arena.games == 4


@pytest.mark.parametrize(
    ("profile", "folder"),
    [
        (None, "runs/chess"),
        ("chess-cpu", "runs/chess"),
        ("quick", "runs/chess-quick"),
        ("chess-reference", "runs/chess-reference"),
    ],
)
def test_a_profile_asked_for_by_name_has_a_folder_of_its_own(profile: str | None, folder: str) -> None:
    from milton.loop import RunRequest
    from milton.loop.session import default_path

    assert default_path(RunRequest(profile=profile, game="chess")) == Path(folder)


def test_a_run_that_was_made_with_the_profile_is_found_where_it_was() -> None:
    output_of("init", "--run", "runs/connect_four", *tiny())
    assert json.loads(output_of("loop", "--json", "--iterations", "1", *tiny()).splitlines()[0])
    assert not Path("runs/connect_four-quick").exists()


def test_a_loop_stopped_within_an_iteration_says_where_it_resumes() -> None:
    output_of("loop", "--iterations", "1", "--run", "mine", *tiny())
    with RunDir.open(Path("mine")) as run:
        run.database.forget_stages(1, ["train", "arena", "ladder"])
    assert "resumes with iteration 1, training" in output_of("loop", "--iterations", "1", "--run", "mine")


def test_a_settings_file_that_an_existing_run_overrules_is_named() -> None:
    output_of("loop", "--iterations", "1", *tiny())
    Path("my.toml").write_text("[train]\nbatch_size = 64\n")
    result = runner.invoke(
        app, ["loop", "--run", "runs/connect_four-quick", "--config", "my.toml", "--iterations", "1"]
    )
    assert result.exit_code == 0
    assert "train.batch_size stays 128" in result.stderr


def test_a_network_of_another_shape_cannot_go_on() -> None:
    output_of("init", "--run", "mine", *tiny("network.hidden=64"))
    error = refusal_of("loop", "--run", "mine", "--set", "network.hidden=32")  # it may only grow
    assert isinstance(error, ArgumentError)
    with RunDir.open(Path("mine")):
        pass  # the lock was given back


def test_the_loop_speaks_json_line_by_line() -> None:
    lines = output_of("loop", "--json", "--iterations", "1", *tiny("arena.gate=threshold")).splitlines()
    said = [json.loads(line) for line in lines]
    assert [entry["stage"] for entry in said if entry["kind"] == "stage"][:3] == [
        "self-play",
        "training",
        "arena",
    ]
    (iteration,) = [entry for entry in said if entry["kind"] == "iteration"]
    assert iteration["iteration"] == 1
    assert iteration["num_positions"] >= 600
    assert iteration["losses"]["holdout/policy_loss"] > 0


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (["loop", "--game", "checkers"], ConfigError, "'checkers'"),
        (["loop", "--profile", "quik"], ConfigError, "'any-game-quick'"),
        (["loop", "--set", "train.batchsize=3"], ConfigError, "'batch_size'"),
        (["loop", "--set", "train.batch_size=none"], ConfigError, "batch_size"),
        (["loop", "--set", "batch_size"], ConfigError, "table.key=value"),
        (["loop", "--config", "absent.toml"], ConfigError, "absent.toml"),
        (["init", "--network", "absent.safetensors"], CheckpointError, "absent.safetensors"),
        (["status", "--run", "absent"], RunError, "'absent'"),
        (["status"], RunError, "no runs"),
    ],
)
def test_refusals_name_what_is_wrong(arguments: list[str], kind: type[MiltonError], words: str) -> None:
    error = refusal_of(*arguments)
    assert isinstance(error, kind)
    assert words in str(error)
    assert not Path("runs").exists()


def test_another_game_than_the_runs_is_refused() -> None:
    output_of("init", "--run", "mine", *tiny())
    assert "learns connect_four" in str(refusal_of("loop", "--run", "mine", "--game", "chess"))


def test_status_tells_where_a_run_stands() -> None:
    output_of("init", "--run", "runs/first", *tiny())
    assert "before the first stage" in output_of("status")
    output_of("loop", "--run", "runs/first", "--iterations", "2", "--set", "arena.gate=threshold")
    found = json.loads(output_of("status", "--json"))
    assert found["summary"]["latest_iteration"] == 2
    assert found["summary"]["champion"].endswith("candidate.safetensors")
    assert not found["is_running"]
    assert sum(found["stage_shares"].values()) == pytest.approx(1.0)
    assert 1 < found["bytes_per_position"] < 120
    assert [line["iteration"] for line in found["arena"]] == [1, 2]
    text = output_of("status", "--run", "runs/first")
    assert "bytes a position" in text
    assert "stopped" in text
    assert "2 of 3, after ladder" in text


def test_opening_a_run_again_finds_nothing_missing() -> None:
    # Old training states are removed on purpose: that is no damage to report.
    output_of("loop", "--iterations", "4", *tiny())
    with RunDir.open(Path("runs/connect_four-quick")) as run:
        assert run.findings == ()
    assert len(list(Path("runs/connect_four-quick").glob("*/training.safetensors"))) == 2
