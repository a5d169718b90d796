"""Learners of every family: they learn, they stop at nonsense, and they go on exactly where they stopped."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_nets import SMALL_NETS, lively_net, write_net
from training_windows import small_window

from milton.config import Settings
from milton.errors import TrainingError
from milton.nets import Provenance
from milton.nets.checkpoint import load_checkpoint, save_checkpoint
from milton.nets.inputs import encode_legal
from milton.nets.registry import build_net
from milton.replay import gather
from milton.training import TrainPlan, learner_from_checkpoint, learner_from_state, save_candidate
from milton.training.adamw import AdamW
from milton.training.dense import DenseLearner

NETS = ("sparse-chess", "sparse-santorini", "tower-chess-wdl", "tower-santorini", "mlp-connect-four")


def settings_for(net: str, **train: object) -> Settings:
    description = SMALL_NETS[net]
    return Settings.profile(
        "any-game-quick",
        {
            "loop.game": description.game,
            "network.family": description.family,
            "train.batch_size": 64,
            "train.device": "cpu",
            "train.symmetry_augmentation": True,
            **{f"train.{name}": value for name, value in train.items()},
        },
    )


def plan(num_steps: int, *, seed: int = 1, rate: float = 2e-3, blend: float = 0.3) -> TrainPlan:
    return TrainPlan(num_steps, rate, blend, seed, 1.0)


@pytest.fixture(params=NETS)
def net(request) -> str:
    return request.param


@pytest.fixture
def checkpoint(net, tmp_path: Path) -> Path:
    """Untrained: nothing is saturated yet."""
    path = tmp_path / "start.safetensors"
    state = build_net(SMALL_NETS[net], seed=1).state_dict()
    save_checkpoint(path, SMALL_NETS[net], state, Provenance(run="test"))
    return path


def window(net: str):
    return small_window(SMALL_NETS[net].game)


def test_training_lowers_the_losses(net, checkpoint):
    # The few positions are learnt by heart; in eight symmetries that would take longer.
    settings = settings_for(net, ema_decay=0.5, symmetry_augmentation=False)
    learner = learner_from_checkpoint(checkpoint, settings, 1)
    everything = np.arange(window(net).num_positions)
    before = learner.measure(window(net), everything, 0.3)
    learner.train(window(net), plan(150, rate=1e-3))
    after = learner.measure(window(net), everything, 0.3)
    assert after.policy_loss < before.policy_loss
    assert after.value_loss < before.value_loss
    # The entropy of the targets is a floor; it does not depend on the network.
    assert after.target_entropy == pytest.approx(before.target_entropy, abs=1e-4)
    assert after.policy_loss > after.target_entropy


def test_half_the_steps_then_a_restart_then_the_other_half_is_the_same_to_the_bit(net, checkpoint, tmp_path):
    settings = settings_for(net)
    whole = learner_from_checkpoint(checkpoint, settings, 1)
    halved = learner_from_checkpoint(checkpoint, settings, 1)
    for seed in (1, 2):
        whole.train(window(net), plan(5, seed=seed))
    halved.train(window(net), plan(5, seed=1))
    halved.state.save(tmp_path / "state.safetensors")
    restored = learner_from_state(tmp_path / "state.safetensors", settings, 1)
    restored.train(window(net), plan(5, seed=2))
    assert restored.state.num_steps == whole.state.num_steps == 10
    digests = [
        learner.state.save(tmp_path / f"{name}.safetensors")
        for name, learner in (("whole", whole), ("restored", restored))
    ]
    assert digests[0] == digests[1]


def test_the_candidate_is_the_average_of_the_weights(net, checkpoint, tmp_path):
    learner = learner_from_checkpoint(checkpoint, settings_for(net, ema_decay=0.9), 1)
    learner.train(window(net), plan(4))
    save_candidate(learner, tmp_path / "candidate.safetensors", Provenance(run="test"))
    played = load_checkpoint(tmp_path / "candidate.safetensors").net.state_dict()
    raw, average = learner.state.net.state_dict(), learner.state.average
    # A candidate for play is rounded to the core's grid; it still lies nearer to the average.
    for name in played:
        if not raw[name].is_floating_point() or torch.equal(raw[name], average[name]):
            continue
        distance = (played[name] - average[name]).abs().max()
        assert distance <= 0.5 / 1024 + 1e-6, name


def test_the_hold_out_is_measured_with_the_weights_that_play(net, checkpoint, tmp_path):
    settings = settings_for(net, ema_decay=0.9)
    learner = learner_from_checkpoint(checkpoint, settings, 1)
    learner.train(window(net), plan(12))
    everything = np.arange(window(net).num_positions)
    before = {name: tensor.clone() for name, tensor in learner.state.net.state_dict().items()}
    found = learner.measure(window(net), everything, 0.3)
    save_checkpoint(
        tmp_path / "played.safetensors", SMALL_NETS[net], learner.state.playing_weights(), Provenance()
    )
    player = learner_from_checkpoint(tmp_path / "played.safetensors", settings, 1)
    expected = player.measure(window(net), everything, 0.3)
    assert found.value_loss == pytest.approx(expected.value_loss, rel=1e-6)
    assert found.policy_loss == pytest.approx(expected.policy_loss, rel=1e-6)
    # Measuring leaves no trace in what is trained.
    after = learner.state.net.state_dict()
    assert all(torch.equal(tensor, after[name]) for name, tensor in before.items())


def test_the_optimiser_is_pytorchs_to_the_bit(tmp_path):
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS["mlp-connect-four"])
    nets = [load_checkpoint(checkpoint).net for _ in range(2)]
    ours = AdamW(nets[0].parameters(), weight_decay=0.02)
    theirs = torch.optim.AdamW(nets[1].parameters(), lr=1.0, weight_decay=0.02, fused=True)
    generator = torch.Generator().manual_seed(3)
    for step in range(6):
        for mine, other in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
            mine.grad = torch.randn(mine.shape, generator=generator)
            other.grad = mine.grad.clone()
        theirs.param_groups[0]["lr"] = 0.01 / (step + 1)
        ours.step(0.01 / (step + 1))
        theirs.step()
        for mine, other in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
            assert torch.equal(mine, other)


@pytest.mark.parametrize("net", ["sparse-connect-four", "mlp-connect-four"])
def test_learning_does_not_import_pytorchs_compiler(checkpoint, net):
    """It takes seconds at every start."""
    program = (
        "import sys; from pathlib import Path\n"
        "from milton.config import Settings\n"
        "from milton.training import learner_from_checkpoint\n"
        "learner = learner_from_checkpoint(Path(sys.argv[1]), Settings.profile('any-game-quick'), 1)\n"
        "for parameter in learner.state.net.parameters(): parameter.grad = parameter.detach().clone()\n"
        "learner.state.step(1e-3)\n"
        "sys.exit('torch._dynamo' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(checkpoint)], check=False).returncode == 0


def test_averages_follow_quickly_while_young_then_at_their_pace(tmp_path):
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS["mlp-connect-four"])
    learner = learner_from_checkpoint(checkpoint, settings_for("mlp-connect-four", ema_decay=0.99), 1)
    state = learner.state
    for number, expected in ((0, 2 / 11), (9, 11 / 20), (10_000, 0.99)):
        state.num_steps = number
        for parameter in state.net.parameters():
            parameter.grad = torch.zeros_like(parameter)
        before = {name: tensor.clone() for name, tensor in state.average.items()}
        with torch.no_grad():
            next(state.net.parameters()).add_(1.0)
        state.step(1e-9)
        name, parameter = next(state.net.named_parameters())
        moved = (state.average[name] - before[name]) / (parameter.detach() - before[name])
        assert float(moved.mean()) == pytest.approx(1.0 - expected, abs=1e-3)


def test_no_average_plays_the_raw_weights(tmp_path):
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS["tower-connect-four"])
    learner = learner_from_checkpoint(checkpoint, settings_for("tower-connect-four", ema_decay=0.0), 1)
    learner.train(window("tower-connect-four"), plan(2))
    for name, tensor in learner.state.net.state_dict().items():
        assert torch.equal(learner.state.playing_weights()[name], tensor)


@pytest.mark.parametrize("net", ["sparse-connect-four", "tower-connect-four"])
def test_a_holdout_position_is_never_trained_on(net, checkpoint):
    """Garbling what hold-out positions teach must change nothing."""
    columns = window(net)
    outcomes = columns.outcomes_stm.copy()
    outcomes[columns.is_holdout] = (outcomes[columns.is_holdout] + 1) % 3
    assert columns.is_holdout.any()
    weights = []
    for each in (columns, replace(columns, outcomes_stm=outcomes)):
        learner = learner_from_checkpoint(checkpoint, settings_for(net), 1)
        learner.train(each, plan(3))
        weights.append(learner.state.net.state_dict())
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


@pytest.mark.parametrize("net", ["sparse-connect-four", "tower-connect-four"])
@pytest.mark.parametrize("where", ["first", "last"])
def test_weights_that_are_no_numbers_are_a_training_error(net, where, tmp_path):
    """Also in the first layer, whose activation would hide them."""
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS[net])
    learner = learner_from_checkpoint(checkpoint, settings_for(net), 1)
    parameters = list(learner.state.net.parameters())
    with torch.no_grad():
        parameters[0 if where == "first" else -1].view(-1)[0] = float("nan")
    with pytest.raises(TrainingError, match="not a number"):
        learner.train(window(net), plan(2))


def test_a_step_size_that_explodes_is_a_training_error(tmp_path):
    net = "sparse-connect-four"
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS[net])
    learner = learner_from_checkpoint(checkpoint, settings_for(net, gradient_clip=0.0), 1)
    with pytest.raises(TrainingError, match="not a number"):
        learner.train(window(net), plan(3, rate=float("inf")))


def test_symmetries_are_used_only_where_they_are_set(tmp_path):
    net = "sparse-santorini"
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS[net])
    results = []
    for augmentation in (False, True):
        settings = settings_for(net, symmetry_augmentation=augmentation)
        learner = learner_from_checkpoint(checkpoint, settings, 1)
        learner.train(window(net), plan(2))
        results.append(learner.state.net.state_dict()["features.weight"])
    assert not torch.equal(results[0], results[1])


@pytest.mark.parametrize("net", ["tower-santorini", "tower-connect-four"])
def test_dense_targets_are_legal_in_every_symmetry(net, checkpoint):
    """Planes, legal moves and visit shares must move together; a wrong turn would leave the legal moves."""
    learner = learner_from_checkpoint(checkpoint, settings_for(net), 1)
    assert isinstance(learner, DenseLearner)
    columns, spec = window(net), SMALL_NETS[net].spec
    batch = gather(columns, np.flatnonzero(np.diff(columns.visit_offsets) > 0))
    for symmetry in range(spec.num_symmetries):
        packed, target = learner._policy_target(batch, symmetry)
        actions, _ = encode_legal(spec, packed)
        for row in range(len(packed)):
            assert set(np.flatnonzero(target[row])) <= set(actions[row].tolist())
        assert np.allclose(target.sum(axis=1), 1.0, atol=1e-6)
        assert np.allclose(
            np.sort(target.max(axis=1)), np.sort(learner._policy_target(batch, 0)[1].max(axis=1))
        )


def test_a_learner_takes_the_network_it_was_given(net, tmp_path):
    checkpoint = write_net(tmp_path / "start.safetensors", SMALL_NETS[net])
    learner = learner_from_checkpoint(checkpoint, settings_for(net), 1)
    expected = lively_net(SMALL_NETS[net]).state_dict()
    for name, tensor in learner.state.net.state_dict().items():
        assert torch.allclose(tensor, expected[name], atol=1e-6), name
