"""The environments keep the conventions of their libraries, checked by the libraries themselves."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from milton.errors import IllegalMoveError
from milton.games import GAME_NAMES, Position
from milton.games.environments import GYMNASIUM_IDS, make_aec, make_vec


@pytest.mark.parametrize("game", GAME_NAMES)
def test_gymnasium_finds_nothing_to_complain_about(game: str) -> None:
    env = gymnasium.make(GYMNASIUM_IDS[game])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.filterwarnings("ignore:Observation")  # it asks for plain arrays where masks are documented
def test_pettingzoo_finds_nothing_to_complain_about(game: str) -> None:
    api_test(make_aec(game), num_cycles=60, verbose_progress=False)
    seed_test(lambda: make_aec(game), num_cycles=20)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_game_of_samples_ends_with_a_result(game: str) -> None:
    env = gymnasium.make(GYMNASIUM_IDS[game]).unwrapped
    env.reset(seed=2)
    env.action_space.seed(2)
    terminated, reward, info = False, 0.0, {}
    while not terminated:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert not truncated
    assert reward in (-1.0, 0.0, 1.0)
    assert info["end_reason"]
    assert info["legal_moves"] == []
    assert not info["action_mask"].any()
    with pytest.raises(IllegalMoveError, match="over"):
        env.step(0)


def test_chess_is_seen_as_8_by_8_by_12_with_fen_and_uci() -> None:
    env = gymnasium.make("milton/Chess-v0").unwrapped
    observation, info = env.reset(seed=0)
    assert observation.shape == (8, 8, 12)
    assert observation.sum() == 32
    assert info["fen"] == Position.start("chess").fen
    assert "e2e4" in info["legal_moves"]


def test_actions_are_numbers_or_texts_and_illegal_ones_raise() -> None:
    env = gymnasium.make("milton/Chess-v0", opponent=lambda position, random: "e7e5").unwrapped
    env.reset(seed=0)
    _, _, _, _, info = env.step("e2e4")
    assert info["moves"] == ["e2e4", "e7e5"]
    with pytest.raises(IllegalMoveError):
        env.step("e4e6")
    with pytest.raises(IllegalMoveError):
        env.step(4671)
    assert env.position.fen == info["fen"]  # a refused action changes nothing


def test_the_agent_may_play_second_and_start_anywhere() -> None:
    env = gymnasium.make("milton/Chess-v0", side="second").unwrapped
    _, info = env.reset(seed=0)
    assert len(info["moves"]) == 1
    mate = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"
    env = gymnasium.make("milton/Chess-v0").unwrapped
    env.reset(options={"position": mate})
    _, reward, terminated, _, info = env.step("f7g7")
    assert (reward, terminated, info["end_reason"]) == (1.0, True, "checkmate")


def test_pettingzoo_rewards_the_winner_and_punishes_the_loser() -> None:
    env = make_aec("chess", render_mode="ansi")
    env.reset(options={"position": "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"})
    env.step("f7g7")
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert "Q" in (env.render() or "")


def test_a_vector_of_games_goes_on_after_games_end() -> None:
    envs = make_vec("connect_four", 16)
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (16, 6, 7, 3)
    num_ended, was_over = 0, np.zeros(16, bool)
    for _ in range(120):
        observations, rewards, terminated, _, info = envs.step(envs.sample_actions())
        num_ended += int(terminated.sum())
        assert not (was_over & terminated).any()
        assert (rewards[was_over] == 0).all()
        was_over = terminated
    assert num_ended > 16
    assert info["legal_actions"].shape == (16, envs.games.spec.max_moves)


def test_gymnasium_makes_the_vector_that_steps_in_the_core() -> None:
    envs = gymnasium.make_vec("milton/Chess-v0", num_envs=3, vectorization_mode="vector_entry_point")
    observations, _ = envs.reset(seed=0)
    assert envs.observation_space.contains(np.ascontiguousarray(observations))
