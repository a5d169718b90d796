from pathlib import Path

import pytest

from milton.config import Settings, load_settings, settings_at, to_toml
from milton.errors import ConfigError

DEEPER = "1000: selfplay.simulations=800 selfplay.fast_simulations=200"
WIDER = "5000: network.hidden=512"


def with_chapters(*chapters: object, **changes: object) -> Settings:
    return Settings.profile("quick", {"loop.chapters": list(chapters), **changes})


def test_chapters_hold_from_their_positions_on_and_add_up() -> None:
    settings = with_chapters(DEEPER, WIDER)
    assert settings_at(settings, 999) == settings
    assert settings_at(settings, 1000).selfplay.simulations == 800
    assert settings_at(settings, 4999).network.hidden == settings.network.hidden
    late = settings_at(settings, 5000)
    assert (late.selfplay.fast_simulations, late.network.hidden) == (200, 512)
    assert late.loop.chapters == settings.loop.chapters


def test_chapters_survive_the_settings_file_of_a_run(tmp_path: Path) -> None:
    settings = with_chapters(DEEPER, WIDER)
    path = tmp_path / "milton.toml"
    path.write_text(to_toml(settings), encoding="utf-8")
    assert Settings.load(run_file=path, use_user_file=False) == settings


def test_a_stronger_layer_keeps_its_keys_from_the_chapters(tmp_path: Path) -> None:
    path = tmp_path / "milton.toml"
    path.write_text(to_toml(with_chapters(DEEPER, WIDER)), encoding="utf-8")
    loaded = load_settings(run_file=path, overrides={"network.hidden": 256}, use_user_file=False)
    assert loaded.settings.loop.chapters == (DEEPER,)
    assert settings_at(loaded.settings, 9999).network.hidden == 256


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"selfplay.simulations": 100}, "fast_simulations"),
        ({"selfplay.fast_simulations": 150}, "simulations"),
        ({"train.learning_rate": 1e-4, "train.learning_rate_final": 1e-5}, "learning_rate_final"),
        ({"train.epochs_per_iter": 2}, "uses_per_position"),
        ({"selfplay.games": 50}, "samples_per_iter"),
    ],
)
def test_what_belongs_to_a_chosen_key_stays_out_of_weaker_chapters(
    asked: dict[str, object], kept: str, tmp_path: Path
) -> None:
    chapter = (
        "7: selfplay.simulations=800 selfplay.fast_simulations=200 train.learning_rate_final=0.0003 "
        "train.uses_per_position=6.0 loop.samples_per_iter=60000 arena.games=80"
    )
    path = tmp_path / "milton.toml"
    path.write_text(f'[loop]\nchapters = ["{chapter}"]\n', encoding="utf-8")
    settings = load_settings(run_file=path, overrides=asked, use_user_file=False).settings
    assert settings.loop.chapters
    assert f".{kept}=" not in " ".join(settings.loop.chapters)
    late = settings_at(settings, 10**12)
    for name, value in asked.items():
        table, key = name.split(".")
        assert getattr(getattr(late, table), key) == value


@pytest.mark.parametrize(
    ("chapters", "problem"),
    [
        (["soon"], "POSITIONS: table.key=value"),
        (["-5: network.hidden=512"], "POSITIONS: table.key=value"),
        (["5: network.hidden"], "a change is written table.key=value"),
        (["5: selfplay.simulation=9"], "did you mean 'simulations'"),
        (["5: loop.seed=3"], "loop.seed cannot change in the middle of a run"),
        (["5: loop.chapters=[]"], "loop.chapters cannot change"),
        (["5: train.batch_size=0"], "after 5 positions: .*batch_size must be"),
        (["5: network.hidden=32"], "can only grow, got 32 after"),
        ([WIDER, DEEPER], r"one after the other, got \[5000, 1000\]"),
        ([DEEPER, DEEPER], "one after the other"),
        ("1000: network.hidden=512", "chapters must be a list of texts"),
        ([7], "chapters must be a list of texts"),
    ],
)
def test_chapters_that_make_no_sense_are_refused(chapters: object, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        Settings.profile("quick", {"loop.chapters": chapters})


def test_what_a_network_reads_belongs_to_family_and_game(tmp_path: Path) -> None:
    file = tmp_path / "milton.toml"
    chapter = "1: network.encoder=sparse-relations network.hidden=512"
    file.write_text(f'[loop]\nchapters = ["{chapter}"]\n[network]\nencoder = "sparse-attacks"\n')

    def read(**choices: object) -> tuple[str, str]:
        settings = load_settings(config_file=file, profile="cpu", use_user_file=False, **choices).settings  # type: ignore[arg-type]
        return settings.network.encoder, " ".join(settings.loop.chapters)

    assert read() == ("sparse-attacks", chapter)
    assert read(game="chess", overrides={"network.hidden": 128})[0] == "sparse-attacks"
    assert read(overrides={"network.family": "tower"}) == ("", "")
    assert read(overrides={"network.family": "tower", "network.encoder": "planes19"}) == ("planes19", "")
    assert read(game="connect_four") == ("", "1: network.hidden=512")


def test_the_profile_of_chess_says_what_its_networks_read() -> None:
    assert Settings.profile("cpu").network.encoder == "sparse-relations"
    assert Settings.profile("cpu").with_values({"network.family": "mlp"}).network.encoder == ""
