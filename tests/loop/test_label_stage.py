"""The stage that labels positions: what it labels, when, and what a kill in it costs."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from short_loop import tiny_settings

from milton.config import Settings
from milton.loop import deploy_stage, init_run, label_stage, run_loop
from milton.loop.context import LoopInterruptedError
from milton.replay import Window, WindowColumns, WindowSize, labels_path, read_labels
from milton.rundir import RunDir, sha256_of

LABELS = {
    "loop.game": "chess",
    "loop.samples_per_iter": 150,
    "selfplay.max_plies": 40,
    "arena.games": 2,
    "arena.gate": "none",
    "arena.ladder_every": 0,
    "train.window_min": 10_000,
}


def settings(**changes: object) -> Settings:
    return tiny_settings(**{**LABELS, **changes})


def go_on(path: Path, iterations: int, nodes: int) -> str:
    output = StringIO()
    with RunDir.open(path) as run:
        run_loop(
            run,
            run.settings({"train.label_nodes": nodes}),
            iterations=iterations,
            console=Console(file=output, width=200),
        )
    return output.getvalue()


def rows(path: Path) -> list[dict[str, object]]:
    with RunDir.open(path, writable=False) as run:
        return [dict(stage.result) for stage in run.database.stages() if stage.stage == "label"]


def labelled(path: Path) -> list[int]:
    with RunDir.open(path, writable=False) as run:
        return [number for number, shard in run.shard_paths() if labels_path(shard).is_file()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    init_run(path, settings()).close()
    go_on(path, 2, nodes=0)
    return path


def test_the_whole_window_is_labelled_at_first_and_then_what_is_new(path: Path) -> None:
    assert labelled(path) == []
    assert rows(path) == [{"skipped": True}] * 2
    told = go_on(path, 3, nodes=4)
    assert "labelled" in told
    assert labelled(path) == [1, 2, 3]
    first = {number: sha256_of(labels_path(shard)) for number, shard in shards(path)}
    go_on(path, 4, nodes=4)
    assert labelled(path) == [1, 2, 3, 4]
    again = {number: sha256_of(labels_path(shard)) for number, shard in shards(path)}
    assert {number: again[number] for number in first} == first
    counts = [row["positions"] for row in rows(path)[2:]]
    assert counts[0] == positions_in(path, 1, 3)
    assert counts[1] == positions_in(path, 4, 4)


def shards(path: Path) -> list[tuple[int, Path]]:
    with RunDir.open(path, writable=False) as run:
        return list(run.shard_paths())


def positions_in(path: Path, first: int, last: int) -> int:
    """Without those of random openings, which nothing learns from."""
    window = Window(WindowSize(positions=10**9))
    window.update([shard for shard in shards(path) if first <= shard[0] <= last])
    return window.num_positions


def test_training_uses_the_labels(path: Path) -> None:
    go_on(path, 3, nodes=4)
    with_labels, without = (Window(WindowSize(positions=10**9), label_share=share) for share in (1.0, 0.0))
    for window in (with_labels, without):
        window.update(shards(path))
    columns = with_labels.columns()
    assert not np.array_equal(columns.root_wdl, without.columns().root_wdl)
    written = np.concatenate([values for _, shard in shards(path) for values in read_labels(shard).values()])
    assert set(map(tuple, columns.root_wdl.tolist())) <= set(map(tuple, written.tolist()))


def test_a_stage_that_was_interrupted_keeps_the_shards_that_it_finished(path: Path, monkeypatch) -> None:
    label_shard = label_stage.label_shard
    calls: list[Path] = []

    def interrupted(shard: Path, checkpoint: Path, **options: object) -> int:
        calls.append(shard)
        if len(calls) == 2:
            raise LoopInterruptedError
        return label_shard(shard, checkpoint, **options)

    monkeypatch.setattr(label_stage, "label_shard", interrupted)
    go_on(path, 3, nodes=4)
    assert labelled(path) == [1]
    assert len(rows(path)) == 2
    monkeypatch.setattr(label_stage, "label_shard", label_shard)
    before = sha256_of(labels_path(shards(path)[0][1]))
    go_on(path, 3, nodes=4)
    assert labelled(path) == [1, 2, 3]
    assert sha256_of(labels_path(shards(path)[0][1])) == before
    with RunDir.open(path) as run:
        assert not run.findings
        (record,) = [stage for stage in run.database.stages(3) if stage.stage == "label"]
        assert {artifact.path for artifact in record.artifacts} == {
            f"iter_{number:04d}/samples-0000.shard.labels" for number in (2, 3)
        }


def test_damaged_labels_are_reported_and_their_positions_learnt_without_them(path: Path) -> None:
    go_on(path, 5, nodes=4)
    spoilt = labels_path(shards(path)[1][1])
    content = bytearray(spoilt.read_bytes())
    content[-1] ^= 1
    spoilt.write_bytes(content)
    told = go_on(path, 6, nodes=0)
    assert "labels file" in told
    assert "continuing without that file" in told
    assert "positions are left out" not in told


def test_the_network_for_people_learns_labels_by_the_one_before_it(path: Path, monkeypatch) -> None:
    asked: list[tuple[int, str, int]] = []
    label_columns = deploy_stage.label_columns

    def watched(columns: WindowColumns, checkpoint: Path, **options: object) -> WindowColumns:
        labelled = label_columns(columns, checkpoint, **options)
        asked.append(
            (columns.num_positions, checkpoint.name, int((labelled.root_wdl != columns.root_wdl).sum()))
        )
        return labelled

    monkeypatch.setattr(deploy_stage, "label_columns", watched)
    changes = {
        "deploy.growth": 1000.0,
        "deploy.first_positions": 1,
        "deploy.window_fraction": 1.0,
        "deploy.games": 2,
        "deploy.nodes": 8,
        "deploy.label_nodes": 4,
    }
    with RunDir.open(path) as run:
        run_loop(run, run.settings(changes), iterations=3, console=Console(file=StringIO()))
        assert (run.iteration_dir(3) / deploy_stage.CHECKPOINT_NAME).is_file()
    ((num_positions, network, num_changed),) = asked
    assert num_positions == positions_in(path, 1, 3)
    assert network == "candidate.safetensors"  # the champion: nothing was deployed before
    assert num_changed > num_positions
    assert labelled(path) == []


def test_a_game_without_alpha_beta_goes_without_labels(tmp_path: Path) -> None:
    run = tmp_path / "run"
    init_run(run, tiny_settings(**{"train.label_nodes": 4})).close()
    go_on(run, 1, nodes=4)
    assert rows(run) == [{"skipped": True}]
    assert labelled(run) == []


def test_labels_go_with_their_shards(tmp_path: Path) -> None:
    run = tmp_path / "run"
    small = {"loop.keep_shards_iterations": 1, "train.window_min": 100, "train.window_max": 100}
    init_run(run, settings(**small)).close()
    go_on(run, 4, nodes=4)
    numbers = [number for number, _ in shards(run)]
    assert numbers[0] > 1
    assert sorted(run.rglob("*.labels")) == [labels_path(shard) for _, shard in shards(run)]
