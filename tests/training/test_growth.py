"""A sparse network made wider: it says what it said, learns on, and is never made narrower."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_nets import SMALL_NETS, write_net
from training_windows import small_window

from milton.config import Settings
from milton.errors import ArgumentError
from milton.nets import NetDescription, Provenance, SparseSizes, read_checkpoint_info
from milton.training import (
    Learner,
    TrainPlan,
    check_compatible,
    learner_from_checkpoint,
    learner_from_state,
    save_candidate,
)

GAMES = ("chess", "santorini", "connect-four")
PLAN = TrainPlan(num_steps=8, learning_rate=2e-3, value_blend=0.3, seed=1, uses_per_position=1.0)


@pytest.fixture(params=GAMES)
def narrow(request) -> NetDescription:
    return SMALL_NETS[f"sparse-{request.param}"]


@pytest.fixture
def wide(narrow) -> NetDescription:
    return replace(narrow, sizes=SparseSizes(hidden=96))


@pytest.fixture
def trained(narrow, tmp_path) -> Learner:
    checkpoint = write_net(tmp_path / "start.safetensors", narrow)
    learner = learner_from_checkpoint(checkpoint, settings_of(narrow), 1)
    learner.train(small_window(narrow.game), PLAN)
    return learner


def settings_of(description: NetDescription) -> Settings:
    return Settings.profile("any-game-quick", {"loop.game": description.game, "train.batch_size": 64})


def losses_of(learner: Learner, game: str):
    columns = small_window(game)
    return learner.measure(columns, np.arange(columns.num_positions), 0.3)


def saved_state(learner: Learner, folder: Path) -> Path:
    learner.state.save(folder / "state.safetensors")
    return folder / "state.safetensors"


def test_a_wider_network_says_exactly_the_same(trained, narrow, wide, tmp_path):
    grown = learner_from_state(saved_state(trained, tmp_path), settings_of(narrow), 1, grow_to=wide)
    assert grown.state.description == wide
    before, after = losses_of(trained, narrow.game), losses_of(grown, narrow.game)
    assert after.policy_loss == pytest.approx(before.policy_loss, abs=1e-6)
    assert after.value_loss == pytest.approx(before.value_loss, abs=1e-6)


def test_a_grown_learner_keeps_its_moments_and_uses_the_new_units(trained, narrow, wide, tmp_path):
    grown = learner_from_state(saved_state(trained, tmp_path), settings_of(narrow), 1, grow_to=wide)
    moments = grown.state.optimiser.state[grown.state.net.policy.weight]["exp_avg"]
    own = trained.state.optimiser.state[trained.state.net.policy.weight]["exp_avg"]
    assert torch.equal(moments[:, :32], own)
    assert not moments[:, 32:].any()
    assert grown.state.num_steps == trained.state.num_steps
    before = losses_of(grown, narrow.game)
    grown.train(small_window(narrow.game), replace(PLAN, num_steps=40))
    assert losses_of(grown, narrow.game).policy_loss < before.policy_loss
    assert grown.state.net.policy.weight[:, 32:].any()
    assert grown.state.net.value1.weight[:, 32:].any()


def test_a_champion_can_grow_without_a_training_state(trained, narrow, wide, tmp_path):
    save_candidate(trained, tmp_path / "champion.safetensors", Provenance(run="test"))
    assert check_compatible(tmp_path / "champion.safetensors", wide)
    assert not check_compatible(tmp_path / "champion.safetensors", narrow)
    grown = learner_from_checkpoint(tmp_path / "champion.safetensors", settings_of(narrow), 1, grow_to=wide)
    save_candidate(grown, tmp_path / "wide.safetensors", Provenance(run="test"))
    assert read_checkpoint_info(tmp_path / "wide.safetensors").description == wide


def test_nothing_is_made_narrower_or_into_another_network(wide, tmp_path):
    checkpoint = write_net(tmp_path / "wide.safetensors", wide)
    for wanted in (replace(wide, sizes=SparseSizes(hidden=64)), SMALL_NETS["tower-chess"]):
        with pytest.raises(ArgumentError, match="96"):
            check_compatible(checkpoint, wanted)
        with pytest.raises(ArgumentError):
            learner_from_checkpoint(checkpoint, settings_of(wide), 1, grow_to=wanted)


@pytest.mark.parametrize("hidden", [32, 96])
def test_a_network_that_reads_more_features_says_the_same_until_it_has_learnt_from_them(hidden, tmp_path):
    fewer = SMALL_NETS["sparse-chess-pieces"]
    more = replace(SMALL_NETS["sparse-chess"], sizes=SparseSizes(hidden=hidden))
    learner = learner_from_checkpoint(write_net(tmp_path / "net.safetensors", fewer), settings_of(fewer), 1)
    learner.train(small_window("chess"), PLAN)
    grown = learner_from_state(saved_state(learner, tmp_path), settings_of(fewer), 1, grow_to=more)
    before, after = losses_of(learner, "chess"), losses_of(grown, "chess")
    assert after.policy_loss == pytest.approx(before.policy_loss, abs=1e-6)
    assert after.value_loss == pytest.approx(before.value_loss, abs=1e-6)
    old_rows = len(learner.state.net.features.weight)
    assert not grown.state.net.features.weight[old_rows:, :32].any()
    grown.train(small_window("chess"), PLAN)
    assert grown.state.net.features.weight[old_rows:, :32].any()
    with pytest.raises(ArgumentError, match="sparse-relations"):
        learner_from_checkpoint(
            write_net(tmp_path / "more.safetensors", more), settings_of(fewer), 1, grow_to=fewer
        )
