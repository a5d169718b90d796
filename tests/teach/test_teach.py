from pathlib import Path

import numpy as np
import pytest
from rating_players import needs_stockfish, rogue

from milton.config import Settings
from milton.errors import ArgumentError, CheckpointError, EngineError, ShardError
from milton.games import Position
from milton.loop import init_run
from milton.nets import read_checkpoint_info
from milton.rating import MoveLimit
from milton.rating.workers import close_players
from milton.replay import PROBABILITY_SCALE, VALUE_SCALE, GameBlock, ShardReader, recorded_games
from milton.teach import Lesson, give_lessons, label_positions, teacher_spec, wdl_of_centipawns
from milton.teach.pupil import teach

SMALL = Settings.profile("cpu", {"network.hidden": 32, "train.batch_size": 64})
QUICK = MoveLimit("nodes", 60)


@pytest.fixture(scope="module")
def block() -> GameBlock:
    """A few labelled games."""
    found = give_lessons(Lesson(teacher_spec("stockfish", QUICK), 0, 3, seed=5))
    close_players()
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
    assert all(game.network == "stockfish@nodes:60" for game in games)


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
    with init_run(tmp_path / "marked", SMALL, out, allow_taught=True) as run:
        assert read_checkpoint_info(run.champion_checkpoint()).provenance.teacher == "stockfish@nodes:60"


def test_a_teacher_is_an_engine_with_a_limit_for_each_move() -> None:
    with pytest.raises(ArgumentError, match="outside engine"):
        teacher_spec("greedy", QUICK)


def test_a_teacher_that_dies_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="dies"):
        give_lessons(Lesson(rogue(tmp_path, "dies"), 0, 1, seed=0))
    close_players()
