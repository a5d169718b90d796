import dataclasses
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rating_players import needs_stockfish, rogue
from rich.console import Console
from short_loop import tiny_settings
from small_nets import SMALL_NETS, lively_net
from training_windows import small_block

from milton.config import Settings
from milton.errors import ArgumentError, CheckpointError, EngineError, RunError, ShardError
from milton.games import Position
from milton.loop import init_run, run_loop
from milton.nets import Provenance, read_checkpoint_info
from milton.nets.checkpoint import save_checkpoint
from milton.rating import MoveLimit
from milton.replay import (
    PROBABILITY_SCALE,
    VALUE_SCALE,
    GameBlock,
    ShardReader,
    ShardWriter,
    recorded_games,
)
from milton.rundir import sha256_of
from milton.selfplay import play_games
from milton.teach import LabelTask, label_games, label_positions, teacher_spec, wdl_of_centipawns
from milton.teach.training import teach
from milton.training import train_on_shards

SMALL = Settings.profile("chess-cpu", {"network.hidden": 32, "train.batch_size": 64})
QUICK = MoveLimit("nodes", 60)


@pytest.fixture(scope="module")
def block() -> GameBlock:
    """A few labelled games."""
    found = label_games(LabelTask(teacher_spec("stockfish", QUICK), 0, 3, seed=5))
    assert found is not None
    return found


@pytest.mark.parametrize("centipawns", [-1000, -120, 0, 35, 1000])
def test_labels_keep_the_expected_score_and_add_up(centipawns: int) -> None:
    win, draw, loss = wdl_of_centipawns(centipawns)
    assert win + draw + loss == pytest.approx(1.0)
    assert win + draw / 2 == pytest.approx(1.0 / (1.0 + 10 ** (-centipawns / 400)))


@needs_stockfish
def test_every_label_is_a_legal_move_and_a_finite_value(block: GameBlock) -> None:
    for row in range(block.num_positions):
        position = Position.unpack("chess", block.packed[row].tobytes())
        best = position.line.move_from_bits(int(block.visit_moves[row]))
        assert best in position.legal_moves()
    assert block.root_wdl is not None
    win, draw = block.root_wdl[:, 0] / PROBABILITY_SCALE, block.root_wdl[:, 1] / PROBABILITY_SCALE
    assert np.allclose(2 * win + draw - 1, block.root_values_stm / VALUE_SCALE, atol=1e-4)
    # Ten pawns are 0.9937 on our scale: nothing beyond may be kept.
    assert np.abs(block.root_values_stm / VALUE_SCALE).max() < 0.994


@needs_stockfish
def test_labelled_games_can_be_replayed(block: GameBlock) -> None:
    games = list(recorded_games(block))
    assert len(games) == block.num_games
    assert all(game.players[0] == "stockfish@nodes:60" for game in games)


@needs_stockfish
def test_labelling_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, teacher = tmp_path / "labels.shard", teacher_spec("stockfish", QUICK)
    first = label_positions(path, teacher, 30, workers=1)
    assert first >= 30
    assert label_positions(path, teacher, first, workers=1) == first
    more = label_positions(path, teacher, first + 30, workers=1)
    assert more >= first + 30
    ids = [game_id for block in ShardReader(path).blocks() for game_id in block.game_ids.tolist()]
    assert len(set(ids)) == len(ids)
    with pytest.raises(ShardError, match="labelled by"):
        label_positions(path, teacher_spec("stockfish-skill-3", QUICK), 100, workers=1)


@needs_stockfish
def test_a_taught_network_is_marked_and_refused_by_runs_from_zero(tmp_path: Path) -> None:
    labels, out = tmp_path / "labels.shard", tmp_path / "taught.safetensors"
    label_positions(labels, teacher_spec("stockfish", QUICK), 300, workers=1)
    taught = teach(labels, SMALL, out, num_epochs=3, holdout_fraction=0.2, threads=1)
    assert 0 < taught.num_holdout < taught.num_positions
    assert taught.epochs[-1].train.policy_loss < taught.epochs[0].train.policy_loss
    assert read_checkpoint_info(out).provenance.teacher == "stockfish@nodes:60"
    with pytest.raises(CheckpointError, match="taught by stockfish"):
        init_run(tmp_path / "zero", SMALL, out)
    assert not (tmp_path / "zero").exists()
    again = tmp_path / "again.safetensors"
    teach(labels, SMALL, again, num_epochs=1, holdout_fraction=0.2, checkpoint=out, threads=1)
    assert read_checkpoint_info(again).provenance.parent_sha256 == sha256_of(out)
    with init_run(tmp_path / "marked", SMALL, out, allow_taught=True) as run:
        assert read_checkpoint_info(run.champion_checkpoint()).provenance.teacher == "stockfish@nodes:60"


def test_a_teacher_is_an_engine_with_a_limit_for_each_move() -> None:
    with pytest.raises(ArgumentError, match="UCI engine"):
        teacher_spec("greedy", QUICK)


def test_a_teacher_that_dies_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="dies"):
        label_games(LabelTask(rogue(tmp_path, "dies"), 0, 1, seed=0))


def mark_taught(block: GameBlock, teacher: str) -> GameBlock:
    return dataclasses.replace(block, teachers=(teacher,))


def write_shard(path: Path, block: GameBlock) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with ShardWriter(path, block.game, block.packed_bytes) as writer:
        writer.append(block)
    return path


@needs_stockfish
def test_labels_say_who_gave_them(block: GameBlock, tmp_path: Path) -> None:
    shard = write_shard(tmp_path / "labels.shard", block)
    assert next(ShardReader(shard).blocks()).teachers == ("stockfish@nodes:60",)


def test_training_by_hand_on_labels_marks_the_network(tmp_path: Path) -> None:
    labels = write_shard(tmp_path / "labels.shard", mark_taught(small_block("chess"), "stockfish"))
    out = tmp_path / "trained.safetensors"
    train_on_shards([(1, labels)], SMALL, out, threads=1)
    assert read_checkpoint_info(out).provenance.teacher == "stockfish"
    with pytest.raises(CheckpointError, match="taught by stockfish"):
        init_run(tmp_path / "zero", SMALL, out)


def test_games_of_a_taught_network_and_what_learns_from_them_are_marked(tmp_path: Path) -> None:
    taught = tmp_path / "taught.safetensors"
    net = SMALL_NETS["sparse-connect-four"]
    save_checkpoint(taught, net, lively_net(net).state_dict(), Provenance(teacher="engine"), for_play=True)
    settings = tiny_settings()
    played = play_games(taught, settings, tmp_path / "games", 4, threads=1, seed=1)
    train_on_shards([(1, played.shard)], settings, tmp_path / "new.safetensors", threads=1)
    assert read_checkpoint_info(tmp_path / "new.safetensors").provenance.teacher == "engine"


def test_a_pupil_of_two_teachers_names_both(tmp_path: Path) -> None:
    first = write_shard(tmp_path / "first.shard", mark_taught(small_block("chess"), "first"))
    second = write_shard(tmp_path / "second.shard", mark_taught(small_block("chess"), "second"))
    train_on_shards([(1, first)], SMALL, tmp_path / "once.safetensors", threads=1)
    once, twice = tmp_path / "once.safetensors", tmp_path / "twice.safetensors"
    train_on_shards([(1, second)], SMALL, twice, checkpoint=once, threads=1)
    assert read_checkpoint_info(twice).provenance.teacher == "first and second"


def test_a_run_from_zero_refuses_labels_among_its_games(tmp_path: Path) -> None:
    with init_run(tmp_path / "run", tiny_settings()) as run:
        labels = mark_taught(small_block("connect_four"), "stockfish")
        write_shard(run.iteration_dir(1, create=True) / "samples-0001.shard", labels)
        with pytest.raises(RunError, match=r"knowledge of stockfish.*move them away"):
            run_loop(run, run.settings(), iterations=1, console=Console(file=StringIO()))
