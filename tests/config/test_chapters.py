from pathlib import Path
from typing import Any

import pytest

from milton.config import (
    Chapter,
    Settings,
    fresh_starts_at,
    load_settings,
    parse_override,
    settings_at,
    to_toml,
)
from milton.config.renamed import tell_once
from milton.errors import ConfigError

DEEPER = {"after_positions": 1000, "selfplay": {"simulations": 800, "fast_simulations": 200}}
WIDER = {"after_positions": 5000, "network": {"hidden": 512}}


def with_chapters(*chapters: object, **changes: object) -> Settings:
    return Settings.profile("any-game-quick", {"loop.chapters": list(chapters), **changes})


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
    assert loaded.settings.loop.chapters == (Chapter.model_validate(DEEPER),)
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
    path = tmp_path / "milton.toml"
    path.write_text(
        "[[loop.chapters]]\nafter_positions = 7\n"
        "selfplay.simulations = 800\nselfplay.fast_simulations = 200\n"
        "train.learning_rate_final = 0.0003\ntrain.uses_per_position = 6.0\nloop.samples_per_iter = 60_000\n"
        "arena.games = 80\n",
        encoding="utf-8",
    )
    settings = load_settings(run_file=path, overrides=asked, use_user_file=False).settings
    (chapter,) = settings.loop.chapters
    assert kept not in {name.split(".")[1] for name, _ in chapter.changes}
    late = settings_at(settings, 10**12)
    for name, value in asked.items():
        table, key = name.split(".")
        assert getattr(getattr(late, table), key) == value


@pytest.mark.parametrize(
    ("chapters", "problem"),
    [
        ([{}], "number 1: a chapter needs after_positions"),
        ([{"after_positions": -5}], "number 1: after_positions must be a whole number from 0 up to"),
        ([{"after_positions": "soon"}], "number 1: after_positions must be a whole number"),
        ([{"after_positions": 5, "fresh_start": 1}], "fresh_start must be true or false"),
        ([WIDER, {"after_positions": 9, "hidden": 512}], "number 2: a chapter has the keys .* got 'hidden'"),
        ([{"after_positions": 5, "selfplay": {"simulation": 9}}], "did you mean 'simulations'"),
        ([{"after_positions": 5, "loop": {"seed": 3}}], "loop.seed cannot change in the middle of a run"),
        ([{"after_positions": 5, "loop": {"chapters": []}}], "loop.chapters cannot change"),
        ([{"after_positions": 5, "train": {"batch_size": 0}}], "after 5 positions: .*batch_size must be"),
        ([{"after_positions": 5, "network": {"hidden": 32}}], "can only grow, got 32 after"),
        ([WIDER, DEEPER], r"one after the other, got \[5000, 1000\]"),
        ([DEEPER, DEEPER], "one after the other"),
        (WIDER, "chapters must be a list of tables"),
        ([7], "chapters, number 1 must be a table"),
    ],
)
def test_chapters_that_make_no_sense_are_refused(chapters: object, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        Settings.profile("any-game-quick", {"loop.chapters": chapters})


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("train.learning_rat = 1", "[train] unknown key 'learning_rat'; did you mean 'learning_rate'?"),
        ("train.batch_size = 0", "[train] batch_size must be a whole number from 1 up to 65536, got 0"),
        ("network.hidden = 32", "network.hidden can only grow, got 32 after "),
    ],
)
def test_a_refused_chapter_is_told_with_its_file(line: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f"[[loop.chapters]]\nafter_positions = 5\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refusal:
        Settings.load(config_file=path, use_user_file=False)
    assert str(refusal.value).startswith(f"{path}: [loop] chapters, after 5 positions: {problem}")


def test_what_a_network_reads_belongs_to_family_and_game(tmp_path: Path) -> None:
    file = tmp_path / "milton.toml"
    file.write_text(
        '[[loop.chapters]]\nafter_positions = 1\nnetwork.encoder = "sparse-relations"\nnetwork.hidden = 512\n'
        '[network]\nencoder = "sparse-attacks"\n'
    )

    def read(**choices: Any) -> tuple[str, list[dict[str, object]]]:
        settings = load_settings(
            config_file=file, profile="chess-cpu", use_user_file=False, **choices
        ).settings
        return settings.network.encoder, [dict(chapter.changes) for chapter in settings.loop.chapters]

    both = {"network.encoder": "sparse-relations", "network.hidden": 512}
    assert read() == ("sparse-attacks", [both])
    assert read(game="chess", overrides={"network.hidden": 128})[0] == "sparse-attacks"
    assert read(overrides={"network.family": "tower"}) == ("", [])
    assert read(overrides={"network.family": "tower", "network.encoder": "planes19"}) == ("planes19", [])
    assert read(game="connect_four") == ("", [{"network.hidden": 512}])


def test_fresh_starts_are_counted_by_the_chapters_that_have_begun() -> None:
    settings = with_chapters(
        {"after_positions": 10, "fresh_start": True}, DEEPER, {"after_positions": 5000, "fresh_start": True}
    )
    assert [fresh_starts_at(settings, positions) for positions in (9, 10, 4999, 5000)] == [0, 1, 1, 2]
    assert settings_at(settings, 10) == settings


def test_a_fresh_start_stays_when_a_stronger_layer_takes_all_keys_of_its_chapter(tmp_path: Path) -> None:
    path = tmp_path / "milton.toml"
    path.write_text(to_toml(with_chapters({**WIDER, "fresh_start": True})), encoding="utf-8")
    settings = Settings.load(run_file=path, overrides={"network.hidden": 256}, use_user_file=False)
    assert settings.loop.chapters == (Chapter(after_positions=5000, fresh_start=True),)


def test_chapters_as_texts_are_read_and_the_counter_becomes_fresh_starts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tell_once.cache_clear()
    path = tmp_path / "milton.toml"
    path.write_text(
        """[loop]
chapters = [
    "3000000: train.fresh_starts=1",
    "6500000: selfplay.simulations=400 selfplay.temperature_moves=16 train.fresh_starts=2",
    "7000000: train.fresh_starts=2 network.encoder=sparse-relations",
]
[train]
fresh_starts = 0
"""
    )
    settings = Settings.load(run_file=path, use_user_file=False)
    assert [chapter.model_dump() for chapter in settings.loop.chapters] == [
        {"after_positions": 3_000_000, "fresh_start": True},
        {
            "after_positions": 6_500_000,
            "fresh_start": True,
            "selfplay": {"simulations": 400, "temperature_plies": 16},
        },
        {"after_positions": 7_000_000, "fresh_start": False, "network": {"encoder": "sparse-relations"}},
    ]
    (line,) = caplog.messages
    assert "loop.chapters are tables now: [[loop.chapters]]" in line
    assert "selfplay.temperature_moves is called selfplay.temperature_plies now" in line


@pytest.mark.parametrize("text", ["soon", "5: network.hidden", "-5: network.hidden=512"])
def test_an_old_chapter_that_cannot_be_read_is_refused_with_todays_form(tmp_path: Path, text: str) -> None:
    path = tmp_path / "milton.toml"
    path.write_text(f'[loop]\nchapters = ["{text}"]\n')
    with pytest.raises(ConfigError, match=r"milton.toml: \[loop\] chapters: a ch"):
        Settings.load(config_file=path, use_user_file=False)


def test_a_chapter_of_the_command_line_is_an_inline_table() -> None:
    name, value = parse_override("loop.chapters=[{after_positions=5, fresh_start=true, train.ema_decay=0.5}]")
    (chapter,) = Settings.load(use_user_file=False, overrides={name: value}).loop.chapters
    assert chapter.changes == (("train.ema_decay", 0.5),)


def test_the_profile_of_chess_says_what_its_networks_read() -> None:
    assert Settings.profile("chess-cpu").network.encoder == "sparse-relations"
    assert Settings.profile("chess-cpu").with_values({"network.family": "mlp"}).network.encoder == ""
