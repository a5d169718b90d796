"""The profiles hold the figures they promise."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import milton.games
from milton.config import GAME_NAMES, PROFILES, Settings, to_toml
from milton.config.profiles import profile_values


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_reads_back_equal_from_its_file(name: str, tmp_path: Path) -> None:
    settings = Settings.profile(name)
    path = tmp_path / "milton.toml"
    path.write_text(to_toml(settings), encoding="utf-8")
    assert Settings.load(run_file=path, use_user_file=False) == settings


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_only_set_keys_that_exist(name: str) -> None:
    for table, entries in profile_values(name).items():
        assert entries.keys() <= type(getattr(Settings.profile(name), table)).model_fields.keys()


def test_reference_is_the_reference() -> None:
    s = Settings.profile("chess-reference")
    assert (s.selfplay.games, s.selfplay.simulations, s.selfplay.full_search_fraction) == (100, 200, 1.0)
    assert (s.selfplay.temperature, s.selfplay.temperature_plies, s.selfplay.temperature_final) == (
        1.0,
        30,
        0.0,
    )
    assert (s.selfplay.dirichlet_alpha, s.selfplay.dirichlet_epsilon, s.search.c_puct) == (0.3, 0.25, 1.5)
    assert (s.selfplay.resign_enabled, s.selfplay.resign_threshold) == (True, -0.95)
    assert (s.train.policy_loss_weight, s.train.value_loss_weight, s.train.gradient_clip) == (1.0, 1.0, 1.0)
    assert 8 <= s.train.epochs_per_iter <= 12
    assert (s.train.buffer_iterations, s.train.batch_size) == (4, 256)
    assert (s.train.learning_rate, s.train.weight_decay, s.train.learning_rate_schedule) == (
        1e-3,
        1e-4,
        "constant",
    )
    assert (s.arena.games, s.arena.simulations, s.arena.temperature) == (100, 400, 0.0)
    assert (s.arena.gate, s.arena.promotion_threshold) == ("threshold", 0.55)
    assert (s.network.family, s.network.blocks, s.network.filters, s.network.wdl) == (
        "tower",
        10,
        128,
        False,
    )


def test_santorini_is_the_reference_for_santorini() -> None:
    s = Settings.profile("santorini-reference")
    assert (s.selfplay.inference_batch, s.selfplay.concurrency, s.selfplay.simulations) == (128, 150, 256)
    assert (s.train.buffer_positions, s.train.symmetry_augmentation) == (100_000, True)
    assert (s.train.steps_per_iter, s.train.batch_size) == (100, 128)
    assert (s.selfplay.dirichlet_epsilon, s.selfplay.dirichlet_alpha) == (0.25, 0.3)
    assert (s.selfplay.dirichlet_epsilon_final, s.selfplay.dirichlet_anneal_iterations) == (0.05, 150)
    assert (s.arena.every, s.arena.games, s.arena.promotion_threshold) == (10, 20, 0.55)
    assert (s.loop.checkpoint_every, s.loop.early_stop_iterations) == (10, 100)
    assert (s.network.blocks, s.network.filters, s.network.policy_filters, s.network.value_hidden) == (
        8,
        256,
        2,
        64,
    )


def test_a_file_with_the_original_names_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "original.toml"
    path.write_text(
        """
        [loop]
        iterations = 0
        samples_per_iter = 6000
        [selfplay]
        games = 100
        simulations = 200
        temperature_moves = 30
        dirichlet_alpha = 0.3
        dirichlet_epsilon = 0.25
        [train]
        batch_size = 256
        learning_rate = 1e-3
        weight_decay = 1e-4
        epochs_per_iter = 10
        buffer_iterations = 4
        [arena]
        games = 100
        simulations = 400
        promotion_threshold = 0.55
        [coach]
        enabled = true
        provider = "grok"
        model = "grok-4"
        api_key = "env:XAI_API_KEY"
        [lichess]
        enabled = true
        account = "somebody"
        token = "env:LICHESS_TOKEN"
        accept_variants = ["standard"]
        """,
        encoding="utf-8",
    )
    settings = Settings.load(config_file=path, use_user_file=False)
    assert settings.train.epochs_per_iter == 10
    assert settings.selfplay.games == 100


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
finite = st.floats(min_value=1e-9, max_value=10.0)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "lichess.chat_greeting": texts,
            "lichess.block_list": st.lists(texts, max_size=4),
            "coach.model": texts,
            "network.encoder": texts,
            "train.learning_rate_schedule": st.just("constant"),
            "train.weight_decay": st.floats(0.0, 1.0),
            "selfplay.temperature": st.floats(0.0, 10.0),
            "selfplay.dirichlet_alpha": st.one_of(st.just("auto"), finite),
            "search.c_puct": finite,
            "loop.seed": st.integers(0, 2**63 - 1),
            "loop.iterations": st.integers(0, 10**6),
            "loop.overlap_training": st.booleans(),
        },
    )
)
def test_any_settings_read_back_equal(overrides: dict[str, object]) -> None:
    settings = Settings.profile("chess-cpu", overrides)
    values = tomllib.loads(to_toml(settings, {"loop.seed": "somewhere"}))
    assert Settings.model_validate(values) == settings


def test_the_games_are_those_of_the_games_room() -> None:
    assert GAME_NAMES == milton.games.GAME_NAMES
