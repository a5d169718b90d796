"""Networks are measured by labels that they did not learn from."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from game_blocks import played_block
from small_nets import SMALL_NETS, write_net
from typer.testing import CliRunner

from milton.cli.app import app
from milton.config import Settings
from milton.errors import CheckpointError, ShardError
from milton.play import shipped_champion
from milton.replay import ShardWriter
from milton.replay.block import PositionFlag
from milton.selfplay import play_games
from milton.teach.validation import Validation


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moves and values of the shipped champion's own searches stand for those of another engine."""
    folder = tmp_path_factory.mktemp("labels")
    settings = Settings.profile("chess-cpu", {"selfplay.simulations": 32, "selfplay.fast_simulations": 16})
    played = play_games(shipped_champion("chess"), settings, folder, 2, threads=1, seed=1)
    return shutil.copy(played.shard, folder / "labels.shard")


def test_a_trained_network_predicts_more_than_random_weights(labels, tmp_path):
    random = tmp_path / "random.safetensors"
    write_net(random, SMALL_NETS["sparse-chess"])
    validation = Validation(labels, 60_000)
    trained = validation.measure(shipped_champion("chess"), threads=1)
    untrained = validation.measure(random, threads=1)
    assert trained.num_values == untrained.num_values == validation.num_positions
    assert trained.policy_agreement > untrained.policy_agreement
    assert trained.policy_loss < untrained.policy_loss


def validate(*words: str | Path) -> str:
    result = CliRunner().invoke(app, ["validate", *map(str, words)])
    assert result.exit_code == 0
    return result.output


def test_only_the_first_labels_count(labels):
    shown = json.loads(validate(labels, shipped_champion("chess"), "--positions", "10", "--json"))
    assert shown["positions"] == 10
    assert shown["networks"][0]["num_values"] == 10


def test_the_command_prints_a_line_for_each_network(labels):
    network = shipped_champion("chess")
    head, *lines = validate(labels, network, network).splitlines()
    assert head.endswith(f"labels of {labels}")
    assert len(lines) == 2
    assert all(line.startswith(f"{network}: the same move ") for line in lines)


def test_a_network_of_another_game_is_refused(labels):
    with pytest.raises(CheckpointError, match="the labels are of chess, this network is of connect_four"):
        Validation(labels, 10).measure(shipped_champion("connect_four"), threads=1)


def test_labels_that_are_damaged_or_none_are_refused(tmp_path: Path) -> None:
    block = played_block("connect_four", 2, num_simulations=8)
    opening = block.flags | block.flags.dtype.type(PositionFlag.RANDOM_OPENING)
    for name, content in (("damaged", block), ("none", replace(block, flags=opening))):
        with ShardWriter(tmp_path / name, "connect_four", block.packed.shape[1]) as writer:
            writer.append(content)
    damaged = bytearray((tmp_path / "damaged").read_bytes())
    damaged[-5] ^= 1
    (tmp_path / "damaged").write_bytes(damaged)
    with pytest.raises(ShardError, match="are not used"):
        Validation(tmp_path / "damaged", 10)
    with pytest.raises(ShardError, match="holds no labels"):
        Validation(tmp_path / "none", 10)
