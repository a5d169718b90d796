"""Settings under the names they had before are read, and one line says what they are called now."""

from pathlib import Path

import pytest

from milton.config import Settings, load_settings, parse_override
from milton.config.chapters import without_keys
from milton.config.renamed import tell_once
from milton.errors import ConfigError

OLD_RUN = Path(__file__).parent / "data" / "old_run.toml"


@pytest.fixture(autouse=True)
def _nothing_told_yet():
    tell_once.cache_clear()


def load(tmp_path, text):
    path = tmp_path / "milton.toml"
    path.write_text(text)
    return load_settings(config_file=path, use_user_file=False).settings


def test_an_old_key_sets_the_new_one_and_one_line_says_so(tmp_path, caplog):
    settings = load(
        tmp_path,
        '[selfplay]\ntemperature_moves = 11\nforced_playouts = 0.0\n[search]\nalgorithm = "gumbel"\n',
    )
    assert settings.selfplay.temperature_plies == 11
    assert settings.search.gumbel_root
    (line,) = caplog.messages
    assert line.startswith(f"{tmp_path / 'milton.toml'}: ")
    assert "selfplay.temperature_moves is called selfplay.temperature_plies now" in line
    assert 'search.algorithm = "gumbel" is written search.gumbel_root = true now' in line
    assert "selfplay.forced_playouts is ignored" in line


def test_the_line_is_said_once_however_often_a_file_is_read(tmp_path, caplog):
    for _ in range(3):
        load(tmp_path, "[selfplay]\ntemperature_moves = 11\n")
    assert len(caplog.messages) == 1


def test_an_old_and_the_new_name_together_are_refused(tmp_path):
    with pytest.raises(
        ConfigError, match=r"temperature_moves is the old name of selfplay\.temperature_plies"
    ):
        load(tmp_path, "[selfplay]\ntemperature_moves = 11\ntemperature_plies = 12\n")


def test_an_old_key_of_the_command_line_is_read():
    assert parse_override("selfplay.temperature_moves=7") == ("selfplay.temperature_plies", 7)
    assert parse_override("search.algorithm=puct") == ("search.gumbel_root", False)


def test_an_old_key_of_the_command_line_that_means_nothing_any_more_is_refused():
    with pytest.raises(ConfigError, match="command line: "):
        parse_override("selfplay.forced_playouts=2")


@pytest.mark.parametrize(("old", "new"), [("true", "auto"), ("false", "mcts")])
def test_the_old_switch_of_alphabeta_chooses_the_algorithm(tmp_path, old, new):
    assert load(tmp_path, f"[search]\nplay_alphabeta = {old}\n").search.algorithm == new


def test_an_unknown_value_of_an_old_key_is_refused_by_todays_values(tmp_path):
    with pytest.raises(ConfigError, match=r"\[search\] algorithm must be one of"):
        load(tmp_path, '[search]\nalgorithm = "banana"\n')


def test_todays_names_say_nothing(caplog):
    Settings.load(use_user_file=False)
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cpu", "chess-cpu"),
        ("reference", "chess-reference"),
        ("santorini", "santorini-reference"),
        ("quick", "any-game-quick"),
    ],
)
def test_an_old_name_of_a_profile_is_read_everywhere(old, new, tmp_path, caplog):
    expected = Settings.profile(new)
    assert Settings.profile(old) == expected
    assert load(tmp_path, f'[loop]\nprofile = "{old}"\n') == expected
    first, second = caplog.messages
    assert first == f"profile {old!r} is called {new!r} now"
    assert f'loop.profile = "{old}" is written loop.profile = "{new}" now' in second


def test_the_settings_of_an_old_run_are_those_of_todays_profile(caplog):
    """data/old_run.toml: all of them, as a run wrote them before anything was renamed; they are kept."""
    settings = load_settings(run_file=OLD_RUN, use_user_file=False).settings
    kept = {"selfplay.temperature_plies": 17, "lichess.max_increment_s": 0, "lichess.concurrency": 8}
    today = Settings.profile("chess-cpu", kept)
    without_labels = without_keys(today.loop.chapters, frozenset({"train.label_nodes"}))  # newer than the run
    assert settings == today.with_values({"loop.chapters": without_labels})
    (line,) = caplog.messages
    olds = ("temperature_moves", "forced_playouts", "fresh_starts", "algorithm", "loop.profile", "chapters")
    for old in olds:
        assert old in line
