"""Each method learns what it should: signs, gradients, colours."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_methods import small_method

from milton.config import Settings
from milton.errors import ArgumentError
from milton.games import Position
from milton.games.vector import VectorGames
from milton.lab.evolution import Evolution, EvolutionSettings
from milton.lab.q_learning import QLearning, QSettings, _Ply, state_of
from milton.lab.reinforce import Episodes, Reinforce, ReinforceSettings
from milton.loop import init_run
from milton.training.dense import DenseLearner

# Q-learning


def test_the_winning_move_rises_and_the_one_that_allowed_it_falls() -> None:
    method = QLearning("connect_four", QSettings(alpha=0.5))
    line = [_Ply("s0", "a", 1), _Ply("s1", "b", 1), _Ply("s2", "c", 1)]
    method._learn_backwards(line, reward=1.0)
    assert method.table["s2"]["c"] == pytest.approx(0.5)
    assert method.table["s1"]["b"] == pytest.approx(-0.5 * 0.99 * 0.5)
    assert method.table["s0"]["a"] == pytest.approx(0.5 * 0.99 * 0.2475)


def test_a_bad_move_does_not_make_its_state_bad_while_others_are_untried() -> None:
    method = QLearning("connect_four", QSettings(alpha=1.0))
    line = [_Ply("s0", "a", 7), _Ply("s1", "b", 7), _Ply("s2", "c", 7)]
    method._learn_backwards(line, reward=1.0)
    assert method.table["s1"]["b"] < 0
    assert method.table["s0"]["a"] == 0.0


def test_chess_states_know_the_side_to_move_and_forget_the_counters() -> None:
    start = Position.start("chess")
    there_and_back = start.play_all(["g1f3", "g8f6", "f3g1", "f6g8"])
    assert state_of(there_and_back) == state_of(start)
    assert state_of(start.play("g1f3")).endswith(" b")


def test_q_learning_finds_the_win_that_it_was_shown() -> None:
    method = QLearning("chess", QSettings())
    position = Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    num_moves = len(position.legal_moves())
    method._learn_backwards([_Ply(state_of(position), "f7g7", num_moves)], reward=1.0)
    assert method.choose(position) == "f7g7"
    assert method.inspect(position) == [("f7g7", pytest.approx(0.1))]


def test_a_full_table_takes_no_new_states() -> None:
    method = QLearning("connect_four", QSettings(max_states=20))
    method._learn_game(np.random.default_rng(0))
    method._learn_game(np.random.default_rng(1))
    assert len(method.table) == 20


# REINFORCE


def episodes_of(method: Reinforce, returns: float) -> Episodes:
    games = VectorGames(method.game, 4)
    chosen = np.array([0, 1, 2, 3])
    return Episodes(games.observe(), games.legal_actions(), chosen, np.full(4, returns, np.float32))


def test_gradients_flow_through_the_log_probabilities() -> None:
    """Autograd's gradient of the policy's bias equals the measured change of the loss, in doubles."""
    method = Reinforce("connect_four", ReinforceSettings(hidden=8, entropy_bonus=0.0), seed=2)
    method.state.net.double()
    episodes = episodes_of(method, 1.0)
    episodes = Episodes(episodes.planes.astype(np.float64), episodes.legal, episodes.chosen, episodes.returns)
    loss = method.loss(episodes, slice(None))
    loss.backward()
    bias = method.state.net.policy.bias
    assert bias.grad.abs().max() > 0.1
    for index in range(len(bias)):
        with torch.no_grad():
            bias[index] += 1e-6
            changed = float(method.loss(episodes, slice(None)))
            bias[index] -= 1e-6
        assert (changed - loss.item()) / 1e-6 == pytest.approx(bias.grad[index].item(), abs=1e-4)


@pytest.mark.parametrize("result", [1.0, -1.0])
def test_moves_of_won_games_become_more_likely_and_of_lost_ones_less(result: float) -> None:
    method = Reinforce("connect_four", ReinforceSettings(hidden=16, learning_rate=1e-2), seed=1)
    episodes = replace(episodes_of(method, result), chosen=np.zeros(4, np.int64))
    before = method.evaluate(episodes.planes, episodes.legal)[0][0, 0].item()
    for _ in range(5):
        method.learn(episodes)
    after = method.evaluate(episodes.planes, episodes.legal)[0][0, 0].item()
    assert (after - before) * result > 0


def test_returns_are_discounted_and_turn_their_sign_with_the_player() -> None:
    method = Reinforce("connect_four", ReinforceSettings(games_a_step=32, hidden=8), seed=0)
    episodes = method.play_episodes(np.random.default_rng(0))
    last = np.isclose(np.abs(episodes.returns), 1.0)  # the moves that won
    assert (episodes.returns[last] == 1.0).all()
    assert (np.isclose(episodes.returns, -0.99)).sum() == last.sum()  # the answers that allowed them
    actions = episodes.legal[np.arange(len(episodes.chosen)), episodes.chosen]
    assert (actions >= 0).all()


def test_cut_chess_games_are_scored_by_material() -> None:
    method = Reinforce("chess", ReinforceSettings(games_a_step=4, hidden=8, max_plies=40), seed=0)
    episodes = method.play_episodes(np.random.default_rng(3))
    method.change_settings({"material_reward": False})
    without = method.play_episodes(np.random.default_rng(3))
    assert np.array_equal(without.chosen, episodes.chosen)  # the same games
    assert (without.returns != 0).mean() < 0.5 < (episodes.returns != 0).mean()


def test_reinforce_learns_connect_four() -> None:
    """A few seconds of training beat the random player clearly."""
    method = Reinforce("connect_four", ReinforceSettings(games_a_step=64, curve_every=40), seed=1)
    for _ in range(25):
        method.learn(method.play_episodes(method.random_of_step()))
        method._note(steps=method.record.steps + 1)
    method._add_curve_point()
    point = method.record.curve[-1]
    assert point.wins >= 0.7 * (point.wins + point.draws + point.losses)


# Attack maps


def test_a_network_that_answers_for_white_is_turned_for_black() -> None:
    method = small_method("attack")
    positions = [Position.start("chess"), Position.start("chess").play("e2e4")]
    packed = np.frombuffer(b"".join(position.pack() for position in positions), np.uint8).reshape(2, -1)
    planes = np.stack([position.planes("planes34") for position in positions])
    net = method.state.net  # type: ignore[attr-defined]
    with torch.no_grad():
        white = net(torch.from_numpy(planes))
        learner = DenseLearner(method.state, method.train_settings(), 1)  # type: ignore[attr-defined]
        logits, values = learner._forward(planes, packed)
    assert torch.allclose(values, white * torch.tensor([1.0, -1.0]))
    assert not logits.any()


def test_a_network_without_a_policy_is_refused_by_the_loop(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no policy"):
        init_run(tmp_path / "run", Settings.profile("chess-cpu", {"network.family": "attack"}))
    assert not (tmp_path / "run").exists()


# Evolution


def test_terms_are_seen_by_the_side_to_move() -> None:
    white = Position.from_fen("4k3/8/8/8/8/8/PPPP4/RN2K3 w - - 0 1").line.heuristic_terms()
    black = Position.from_fen("rn2k3/pppp4/8/8/8/8/8/4K3 b - - 0 1").line.heuristic_terms()
    assert white == black
    assert white["pawn"] == 4
    assert white["rook"] == 1
    against = Position.from_fen("4k3/8/8/8/8/8/PPPP4/RN2K3 b - - 0 1").line.heuristic_terms()
    assert against == {name: -value for name, value in white.items()}


def test_both_players_of_a_contest_can_win_with_either_colour() -> None:
    """Whoever knows what pieces are worth wins, on whichever side of the contest it stands."""
    method = Evolution("chess", EvolutionSettings(simulations=150))
    wise = np.array([1.0, 3.0, 3.0, 5.0, 9.0, 0.2, 0.2, 0.2])
    openings = [Position.start("chess").line, Position.start("chess").play_all(["e2e4", "e7e5"]).line]
    as_first = method._contest(wise, -wise, openings, seed=1, threads=1)
    as_second = method._contest(-wise, wise, openings, seed=1, threads=1)
    assert as_first >= 3.0
    assert as_second <= 1.0


def test_the_better_half_survives_unchanged_and_stands_first() -> None:
    method = small_method("evolution")
    assert isinstance(method, Evolution)
    population = method.population.copy()
    method.fitness = np.arange(4.0)[::-1]
    method._breed(np.random.default_rng(0))
    assert np.array_equal(method.population[:2], population[:2])
    assert not np.isclose(method.population[2:], population[2:]).any()
    assert np.allclose(method.weights, population[:2].mean(axis=0))
