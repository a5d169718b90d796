"""Stronger layers win, and every value remembers where it came from."""

from pathlib import Path

import pytest

from milton.config import Settings, load_settings, parse_override, to_toml, user_file
from milton.errors import ConfigError


@pytest.fixture(autouse=True)
def milton_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("MILTON_HOME", str(home))
    return home


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_without_files_the_cpu_profile_decides() -> None:
    loaded = load_settings()
    assert loaded.settings.loop.profile == "chess-cpu"
    assert loaded.settings == Settings.profile("chess-cpu")
    assert loaded.source_of("loop.game") == "profile chess-cpu"
    assert loaded.source_of("train.batch_size") == "default"


def test_each_layer_overrides_the_weaker_ones(tmp_path: Path) -> None:
    mine = write(user_file(), "[train]\nbatch_size = 1\nweight_decay = 0.5\n[arena]\ngames = 8\n")
    given = write(tmp_path / "given.toml", "[train]\nbatch_size = 2\n[arena]\nsimulations = 9\n")
    loaded = load_settings(config_file=given, overrides={"arena.simulations": 7})
    assert (loaded.settings.train.batch_size, loaded.source_of("train.batch_size")) == (2, str(given))
    assert (loaded.settings.train.weight_decay, loaded.source_of("train.weight_decay")) == (0.5, str(mine))
    assert (loaded.settings.arena.simulations, loaded.source_of("arena.simulations")) == (7, "command line")
    assert loaded.overruled(str(mine)).keys() == {"train.batch_size"}


def test_the_copy_of_a_run_decides_over_everything_but_the_command_line(tmp_path: Path) -> None:
    original = Settings.profile("chess-reference", {"train.batch_size": 99})
    copy = write(tmp_path / "milton.toml", to_toml(original))
    write(user_file(), "[train]\nbatch_size = 1\nepochs_per_iter = 2\n")
    assert Settings.load(run_file=copy) == original
    assert Settings.load(run_file=copy, profile="any-game-quick") == original
    assert Settings.load(run_file=copy, overrides={"train.batch_size": 5}).train.batch_size == 5


def test_a_file_can_name_its_profile_and_the_command_line_another(tmp_path: Path) -> None:
    given = write(tmp_path / "given.toml", '[loop]\nprofile = "chess-reference"\n[arena]\ngames = 12\n')
    settings = Settings.load(config_file=given)
    assert (settings.network.family, settings.arena.games, settings.loop.profile) == (
        "tower",
        12,
        "chess-reference",
    )
    settings = Settings.load(config_file=given, profile="any-game-quick")
    assert (settings.network.hidden, settings.arena.games, settings.loop.profile) == (
        64,
        12,
        "any-game-quick",
    )


@pytest.mark.parametrize(
    ("game", "profile"),
    [("chess", "chess-cpu"), ("santorini", "santorini-cpu"), ("connect_four", "connect-four-cpu")],
)
def test_a_game_brings_its_own_profile(game: str, profile: str) -> None:
    assert Settings.load(game=game) == Settings.profile(profile)


def test_the_quick_profile_fits_every_game() -> None:
    assert Settings.load(profile="any-game-quick", game="santorini").game == "santorini"


def test_choosing_one_way_of_training_switches_the_others_off(tmp_path: Path) -> None:
    given = write(tmp_path / "given.toml", "[train]\nepochs_per_iter = 8\nbuffer_iterations = 4\n")
    loaded = load_settings(config_file=given)
    train = loaded.settings.train
    assert (train.epochs_per_iter, train.uses_per_position, train.steps_per_iter) == (8, 0, 0)
    assert (train.buffer_iterations, train.window_fraction) == (4, 0)
    assert "another way" in loaded.source_of("train.uses_per_position")


def test_positions_an_iteration_replace_games_of_a_profile() -> None:
    settings = Settings.profile("chess-reference", {"loop.samples_per_iter": 10_000})
    assert (settings.loop.samples_per_iter, settings.selfplay.games) == (10_000, 0)


def test_two_ways_at_once_are_refused() -> None:
    with pytest.raises(
        ConfigError, match="exactly one of uses_per_position, epochs_per_iter, steps_per_iter"
    ):
        Settings.profile("chess-cpu", {"train.epochs_per_iter": 3, "train.steps_per_iter": 3})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train.batch_size=512", ("train.batch_size", 512)),
        ("train.learning_rate = 1e-4", ("train.learning_rate", 1e-4)),
        ("arena.gate=sprt", ("arena.gate", "sprt")),
        ('lichess.block_list=["a", "b"]', ("lichess.block_list", ["a", "b"])),
        ("selfplay.resign_enabled=true", ("selfplay.resign_enabled", True)),
    ],
)
def test_command_line_overrides_are_toml_or_text(text: str, expected: tuple[str, object]) -> None:
    assert parse_override(text) == expected


@pytest.mark.parametrize("text", ["train.batch_size", "batch_size=3", "train.batchsize=3", "=", "a.b.c=1"])
def test_malformed_overrides_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_override(text)
