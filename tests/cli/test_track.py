"""`milton track`: what a run recorded, as TensorBoard reads it."""

from pathlib import Path

import pytest
import short_loop
from typer.testing import CliRunner

from milton.cli.app import app
from milton.rundir import RatingRecord, RunDir

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def test_metrics_and_ratings_arrive_with_their_iteration(tmp_path: Path) -> None:
    with RunDir.create(tmp_path / "run", short_loop.tiny_settings()) as run:
        run.database.add_metrics(1, {"loss/policy": 2.5})
        run.database.add_metrics(2, {"loss/policy": 1.5})
        run.database.add_rating(RatingRecord(2, "arena", "new", "old", 3, 2, 1, 40.0, -10.0, 90.0))
    for _ in range(2):  # a second call replaces the first one's files
        result = CliRunner().invoke(app, ["track", "--run", str(tmp_path / "run")], catch_exceptions=False)
        assert "3 points" in result.stdout
    events = event_accumulator.EventAccumulator(str(tmp_path / "run/tensorboard")).Reload()
    assert [(e.step, e.tensor_proto.float_val[0]) for e in events.Tensors("loss/policy")] == [
        (1, 2.5),
        (2, 1.5),
    ]
    assert [e.step for e in events.Tensors("elo/arena/old")] == [2]
