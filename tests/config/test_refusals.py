"""What is wrong with a settings file is said with file, table, key, value and what is allowed."""

from pathlib import Path

import pytest

from milton.config import Secret, Settings, parse_override, read_toml, to_toml
from milton.errors import ConfigError


def refusal(tmp_path: Path, text: str) -> str:
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Settings.load(config_file=path, use_user_file=False)
    message = str(caught.value)
    assert str(path) in message
    return message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[train]\nbatchsize = 3", "[train] unknown key 'batchsize'; did you mean 'batch_size'?"),
        ("[selfpaly]\ngames = 3", "unknown table 'selfpaly'; did you mean 'selfplay'?"),
        ("[loop]\nbuffer_iterations = 4", "[loop] unknown key 'buffer_iterations'; it belongs to [train]"),
        (
            "promotion_threshold = 0.5",
            "key 'promotion_threshold' is outside a table; it belongs to [arena]",
        ),
        ("[train]\nzzz = 1", "[train] unknown key 'zzz'; its keys are batch_size"),
        ("train = 3", "[train] must be a table, got 3"),
        (
            '[train]\nbatch_size = "big"',
            "[train] batch_size must be a whole number from 1 up to 65536, got 'big'",
        ),
        ("[train]\nbatch_size = 2.5", "got 2.5"),
        ("[train]\nbatch_size = true", "got True"),
        ("[train]\nlearning_rate = nan", "[train] learning_rate must be a number above 0 up to 10, got nan"),
        ("[train]\nlearning_rate = inf", "got inf"),
        ("[arena]\npromotion_threshold = 1.5", "must be a number from 0 up to 1, got 1.5"),
        ('[arena]\ngate = "elo"', 'must be one of "threshold", "sprt", "none", got \'elo\''),
        ("[selfplay]\ndirichlet_alpha = -1", 'dirichlet_alpha must be "auto" or a number above 0'),
        (
            "[selfplay]\nfast_simulations = 900",
            "fast_simulations must not exceed simulations, got 900 and 200",
        ),
        ('[lichess]\naccept_variants = ["standard", 3]', "accept_variants must be a list of texts"),
        ("[lichess]\nmin_rating = 2000\nmax_rating = 1000", "min_rating must not exceed max_rating"),
        ('[loop]\ngame = "go"', "unknown game 'go'"),
        ('[loop]\nprofile = "chess-cpuu"', "unknown profile 'chess-cpuu'; did you mean 'chess-cpu'?"),
        ("[loop]\nsamples_per_iter = 0", "nothing ends an iteration"),
        ("[network]\nhidden = 100", "a multiple of 32, got 100"),
        ('[network]\nfamily = "attack"\n[loop]\ngame = "santorini"', "needs loop.game"),
    ],
)
def test_refused_with_reason(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Settings.load(config_file=path, use_user_file=False)
    assert expected in str(caught.value)


def test_all_problems_are_named_at_once(tmp_path: Path) -> None:
    message = refusal(tmp_path, "[train]\nbatch_size = 0\n[arena]\ngames = 1\n")
    assert "batch_size" in message
    assert "games" in message


@pytest.mark.parametrize("content", [b"[train", b"\xff\xfe", b"a = 1\na = 2"])
def test_what_is_not_toml_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"broken\.toml"):
        read_toml(path)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        Settings.load(config_file=tmp_path / "nowhere.toml")


def test_a_secret_in_a_file_is_refused_without_repeating_it(tmp_path: Path) -> None:
    message = refusal(tmp_path, '[lichess]\ntoken = "lip_verysecret"\n[coach]\napi_key = 12345678\n')
    assert "token" in message
    assert "env:NAME" in message
    assert "verysecret" not in message
    assert "12345678" not in message


def test_a_secret_is_looked_up_on_use_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILTON_TEST_TOKEN", "hush-hush")
    settings = Settings.profile("chess-cpu", {"lichess.token": "env:MILTON_TEST_TOKEN"})
    assert settings.lichess.token.resolve() == "hush-hush"
    for shown in (repr(settings), str(settings), settings.model_dump_json(), to_toml(settings)):
        assert "hush-hush" not in shown
    monkeypatch.delenv("MILTON_TEST_TOKEN")
    with pytest.raises(ConfigError, match="MILTON_TEST_TOKEN"):
        settings.lichess.token.resolve()
    with pytest.raises(ConfigError, match="no secret"):
        Secret("").resolve()


def test_settings_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings.profile("chess-cpu").train.batch_size = 3


def test_changed_copies_are_validated() -> None:
    settings = Settings.profile("chess-cpu").with_values({"train.batch_size": 64})
    assert settings.train.batch_size == 64
    with pytest.raises(ConfigError, match="batch_size"):
        settings.with_values({"train.batch_size": 0})
    with pytest.raises(ConfigError, match="did you mean"):
        settings.with_values({"train.batchsize": 1})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[selfplay]\nsimulations = 2147483648", r"simulations must be a whole number from 1 up to 100000"),
        ("[train]\nbatch_size = 100000000", r"batch_size must be a whole number from 1 up to 65536"),
        (
            "[selfplay]\ndirichlet_alpha = 0.0",
            r'dirichlet_alpha must be "auto" or a number above 0 up to 100',
        ),
        ('[lichess]\ngames_folder = "a\\u0000b"', r"games_folder must not hold the character NUL"),
        ("[loop]\nseed = " + "[" * 20_000, "nested too deeply"),
        ("[loop]\nseed." + ".".join(["a"] * 5_000) + " = 1", "nested too deeply"),
        ("a." * 500_000 + "a = 1", "nested too deeply"),
        ("[" + "a." * 500_000 + "a]", "nested too deeply"),
        ("[loop]\nseed = {" + "a." * 500_000 + "a = 1}", "nested too deeply"),
        ("[loop]\nseed = 0x" + "f" * 60_000, "a number of thousands of digits"),
        ("[loop]\nseed = " + "9" * 60_000, "limit"),
        ("#" * 2_000_000, "expected at most"),
    ],
)
def test_numbers_and_texts_that_would_fail_later_are_refused_in_one_line(tmp_path, text, reason):
    path = tmp_path / "milton.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=reason) as caught:
        Settings.load(config_file=path, use_user_file=False)
    assert "\n" not in str(caught.value)


def test_a_value_of_the_command_line_may_not_be_nested_endlessly():
    with pytest.raises(ConfigError, match=r"the value of loop\.seed is nested too deeply"):
        parse_override("loop.seed=" + "[" * 20_000)


def test_a_number_of_the_command_line_may_not_be_endless():
    with pytest.raises(ConfigError, match=r"the value of loop\.seed is too long a number"):
        parse_override("loop.seed=" + "9" * 20_000)
