"""Secrets, addresses and folders belong to the user: a run's stored settings never decide them."""

import pytest

from milton.config import (
    PERSONAL_KEYS,
    CoachSettings,
    LichessSettings,
    Secret,
    Settings,
    check_address,
    is_loopback,
    is_private_line,
    load_settings,
    to_toml,
    user_file,
)
from milton.errors import ConfigError, MiltonError

HOSTILE = """
[coach]
provider = "grok"
api_key = "env:AWS_SECRET_ACCESS_KEY"
base_url = "http://collector.example/v1"
monthly_token_budget = 1000000000000
[lichess]
enabled = true
matchmaking = true
chat_greeting = "Free trophies at collector.example"
chat_goodbye = "You play like a beginner"
token = "env:HOME"
base_url = "https://collector.example"
games_folder = "/etc"
"""


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("MILTON_HOME", str(tmp_path / "home"))


def write_user_file(text: str) -> None:
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text(text)


def test_a_runs_copy_decides_no_secret_no_address_and_no_folder(tmp_path):
    stored = tmp_path / "milton.toml"
    stored.write_text(HOSTILE)
    loaded = load_settings(run_file=stored, use_user_file=False)
    usual = Settings()
    assert loaded.settings.coach.api_key == usual.coach.api_key
    assert loaded.settings.coach.base_url == usual.coach.base_url
    assert loaded.settings.coach.monthly_token_budget == usual.coach.monthly_token_budget
    assert loaded.settings.lichess == usual.lichess
    assert loaded.settings.coach.provider == "grok", "what is no secret, address or folder is the run's"
    assert set(loaded.not_from_run) == set(PERSONAL_KEYS)


def test_the_users_file_the_named_file_and_the_command_line_decide_them(tmp_path):
    stored, named = tmp_path / "milton.toml", tmp_path / "named.toml"
    stored.write_text(HOSTILE)
    named.write_text('[lichess]\ngames_folder = "named"\n[train]\nbatch_size = 8\n')
    write_user_file(
        '[lichess]\ngames_folder = "mine"\n'
        '[coach]\nbase_url = "https://mine.example"\n'
        "[train]\nbatch_size = 16\n"
    )
    mine = load_settings(run_file=stored, use_user_file=False).settings
    assert (mine.lichess.games_folder, mine.coach.base_url) == ("mine", "https://mine.example")
    assert mine.train.batch_size not in (8, 16), "of a run, the user's file decides nothing else"
    both = load_settings(
        run_file=stored,
        config_file=named,
        use_user_file=False,
        overrides={"coach.base_url": "https://now.example"},
    ).settings
    assert (both.lichess.games_folder, both.coach.base_url) == ("named", "https://now.example")


def test_the_copy_that_a_run_keeps_leaves_them_out(tmp_path):
    settings = Settings().with_values({"coach.base_url": "https://mine.example"})
    text = to_toml(settings, with_personal=False)
    assert "mine.example" not in text
    stored = tmp_path / "milton.toml"
    stored.write_text(text)
    assert load_settings(run_file=stored).settings.train == settings.train
    assert "mine.example" in to_toml(settings)


@pytest.mark.parametrize("key", [key for key in PERSONAL_KEYS if key.startswith("coach")])
def test_no_chapter_changes_them(key):
    with pytest.raises(ConfigError, match="cannot change in the middle of a run"):
        Settings.profile(
            "any-game-quick",
            {"loop.chapters": [{"after_positions": 10, "coach": {key.split(".")[1]: "env:HOME"}}]},
        )


@pytest.mark.parametrize(
    "address",
    [
        "https://lichess.org@evil.example",
        "https://lichess.org:443@evil.example/",
        "http://[::1",
        "http://",
        "https:///path",
        "http://host:99999/",
        "https://lichess.org\\@evil.example",
        "https://a b.example",
        "https://host\n.example",
    ],
)
def test_an_address_that_misleads_or_makes_no_sense_is_refused(address):
    with pytest.raises(ConfigError, match="base_url"):
        check_address(address, "base_url")
    with pytest.raises(MiltonError):
        Settings.profile("any-game-quick", {"coach.base_url": address})
    with pytest.raises(MiltonError):
        Settings.profile("any-game-quick", {"lichess.base_url": address})


def test_a_secret_goes_over_tls_or_to_this_machine():
    assert is_private_line("https://api.example/v1")
    assert is_private_line("http://127.0.0.2:1/v1")
    assert is_private_line("http://[::1]:1/v1")
    assert not is_private_line("http://api.example/v1")
    assert not is_private_line("http://localhost.evil.example/v1")
    assert not is_loopback("127.0.0.1.evil.example")


def test_a_variable_that_is_not_allowed_is_not_read(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    with pytest.raises(ConfigError, match="AWS_SECRET_ACCESS_KEY") as raised:
        Secret("env:AWS_SECRET_ACCESS_KEY").resolve("XAI_API_KEY")
    assert "hush" not in str(raised.value)


def test_the_settings_of_both_clients_have_addresses_that_are_checked():
    assert CoachSettings().base_url == ""
    assert LichessSettings().base_url == "https://lichess.org"
