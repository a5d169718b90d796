"""Run folders stay small, and what was deleted still counts as played."""

from pathlib import Path

from rich.console import Console
from short_loop import tiny_settings

from milton.loop import init_run, run_loop
from milton.rundir import RunDir


def test_old_shards_and_refused_candidates_go_and_the_run_goes_on(tmp_path: Path) -> None:
    settings = tiny_settings(
        **{
            "loop.keep_shards_iterations": 1,
            "loop.checkpoint_every": 3,
            "train.window_min": 400,
            "train.window_max": 400,
            "arena.promotion_threshold": 1.0,
        }
    )
    path = tmp_path / "run"
    with init_run(path, settings) as run:
        run_loop(run, settings, iterations=5, console=Console(quiet=True))
        positions = sum(record.num_positions for record in run.database.games("selfplay"))
    with RunDir.open(path) as run:
        assert not run.findings
        kept = [iteration for iteration, _ in run.shard_paths()]
        assert kept == [4, 5]
        champions = {record.iteration for record in run.database.champions()}
        expected = {3, 5} | champions  # every third, the newest, and those that ever played
        assert {n for n in range(6) if run.candidate_path(n).is_file()} == expected
        run_loop(run, settings, iterations=6, console=Console(quiet=True))
        window = run.database.latest_metrics()
        assert window["train/window"] <= 2 * 400
        new = sum(record.num_positions for record in run.database.games("selfplay"))
        assert new > positions
