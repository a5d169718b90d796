"""Dense networks through the whole loop: the reference profiles with everything made small."""

from io import StringIO

import pytest
from rich.console import Console

from milton.config import Settings
from milton.loop import init_run, run_loop
from milton.nets import read_checkpoint_info
from milton.rundir import RunDir

SMALL = {
    "loop.threads": 1,
    "selfplay.games": 6,
    "selfplay.simulations": 6,
    "selfplay.max_plies": 16,
    "selfplay.concurrency": 6,
    "network.blocks": 1,
    "network.filters": 8,
    "network.value_hidden": 8,
    "train.batch_size": 16,
    "train.device": "cpu",
    "arena.games": 4,
    "arena.simulations": 6,
    "arena.opening_plies": 4,
    "arena.max_plies": 16,
    "arena.promotion_threshold": 0.0,
    "arena.ladder_every": 1,
    "arena.ladder_games": 2,
}
PROFILES = {
    "chess-reference": {"train.epochs_per_iter": 1},
    "santorini-reference": {"train.steps_per_iter": 4, "arena.every": 1},
}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_reference_profile_runs_end_to_end_and_resumes(profile, tmp_path):
    settings = Settings.profile(profile, {**SMALL, **PROFILES[profile]})
    output = StringIO()
    with init_run(tmp_path / "run", settings) as run:
        assert run_loop(run, settings, iterations=1, console=Console(file=output))
    with RunDir.open(tmp_path / "run") as run:
        assert run_loop(run, run.settings(), iterations=2, console=Console(file=output))
        stages = [(record.iteration, record.stage) for record in run.database.stages()]
        names = ("selfplay", "label", "coach", "train", "arena", "deploy", "ladder")
        assert stages == [(n, stage) for n in (1, 2) for stage in names]
        assert run.champion().checkpoint == "iter_0002/candidate.safetensors"
        assert read_checkpoint_info(run.champion_checkpoint()).description.family == "tower"
        arena = run.database.games("arena")
        assert [games.num_games for games in arena] == [4, 4]
        assert len(run.database.ratings("ladder_match")) >= 2
