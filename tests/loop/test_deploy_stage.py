"""The network that plays people: when it is trained, what it has to win, who follows it, kills in between."""

import math
import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from short_loop import tiny_settings
from typer.testing import CliRunner

from milton.cli.app import app
from milton.config import Settings
from milton.errors import ConfigError
from milton.loop import LiveStatus, init_run, run_loop, run_status
from milton.loop.deploy_stage import CHECKPOINT_NAME, TRAINED, is_due, positions_at_last
from milton.loop.view import progress_line
from milton.nets import SparseSizes, read_checkpoint_info
from milton.play import ChampionFollower
from milton.play.network import find_checkpoint
from milton.replay import Window, WindowSize
from milton.rundir import RunDir, sha256_of

# How many positions an iteration plays depends on the machine: due at once where it is on, and once only.
DEPLOY = {
    "deploy.growth": 1000.0,
    "deploy.champion_growth": 1.05,
    "deploy.first_positions": 1,
    "deploy.games": 2,
    "deploy.nodes": 8,
    "deploy.hidden": 64,
}


def settings(**changes: object) -> Settings:
    return tiny_settings(**{**DEPLOY, **changes})


def go_on(path: Path, iterations: int, changes: dict[str, object] | None = None) -> None:
    with RunDir.open(path) as run:
        run_loop(run, run.settings(changes), iterations=iterations, console=Console(file=StringIO()))


def results(path: Path) -> list[dict[str, object]]:
    with RunDir.open(path, writable=False) as run:
        return [dict(stage.result) for stage in run.database.stages() if stage.stage == "deploy"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deploy") / "run"
    init_run(path, settings()).close()
    go_on(path, 1, {"deploy.growth": 0.0})
    go_on(path, 2)
    return path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def test_a_network_of_its_own_width_is_trained_when_the_positions_have_grown(run: Path) -> None:
    first, second = results(run)
    assert first == {"skipped": True}
    assert int(str(second["trained"])) >= 800
    assert second["challenged"] == second["trained"]
    description = read_checkpoint_info(run / "iter_0002" / CHECKPOINT_NAME).description
    assert description.sizes == SparseSizes(hidden=64)
    with RunDir.open(run, writable=False) as opened:
        assert positions_at_last(opened, TRAINED) == second["trained"]
        assert opened.deployed_path.is_file()
        rows = opened.database.ratings("deploy")
        assert all(row.wins + row.draws + row.losses == 2 for row in rows)
        assert len(rows) >= 1


def test_a_match_says_which_network_was_trained_for_people(run: Path) -> None:
    with RunDir.open(run, writable=False) as opened:
        told = [event.message for event in opened.database.events() if event.kind == "deploy"]
    assert told[0].startswith("iter_0002 ")
    assert " (trained for people) against " in told[0]


def test_it_learns_from_the_newest_share_of_the_positions(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[WindowSize] = []

    class NotedWindow(Window):
        def __init__(self, size: WindowSize, **options: object) -> None:
            sizes.append(size)
            super().__init__(size, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("milton.loop.deploy_stage.Window", NotedWindow)
    go_on(run, 3, {"deploy.growth": 1.05, "deploy.window_fraction": 0.25})
    trained = int(str(results(run)[-1]["trained"]))
    assert [size.positions for size in sizes] == [math.ceil(0.25 * trained)]


def test_those_who_play_people_follow_the_deployed_network_and_learning_does_not(run: Path) -> None:
    trained = run / "iter_0002" / CHECKPOINT_NAME
    with RunDir.open(run) as opened:
        champion = opened.champion_checkpoint()
        opened.deployed_path.unlink(missing_ok=True)
    follower = ChampionFollower(run)
    found = follower.new_champion("connect_four")
    assert found is not None
    assert (found.name, find_checkpoint("connect_four", None, run)) == (champion.parent.name, champion)
    with RunDir.open(run) as opened:
        opened.deploy(trained)
        assert opened.champion_checkpoint() == champion
    swapped = follower.new_champion("connect_four")
    assert swapped is not None
    assert swapped.name == "iter_0002/deployed"
    assert follower.new_champion("connect_four") is None
    assert find_checkpoint("connect_four", None, run) == trained
    assert find_checkpoint("connect_four", run) == trained


def test_a_stage_killed_after_its_training_keeps_the_network(run: Path) -> None:
    trained = run / "iter_0002" / CHECKPOINT_NAME
    before = trained.read_bytes()
    with RunDir.open(run) as opened:
        opened.database.forget_stages(2, ["deploy", "ladder"])
    go_on(run, 2)
    assert trained.read_bytes() == before
    assert results(run)[1]["trained"]


def test_a_stage_killed_before_its_training_was_saved_trains_the_same_network_again(run: Path) -> None:
    trained = run / "iter_0002" / CHECKPOINT_NAME
    before = trained.read_bytes()
    with RunDir.open(run) as opened:
        opened.database.forget_stages(2, ["deploy", "ladder"])
        opened.deployed_path.unlink(missing_ok=True)
    trained.unlink()
    go_on(run, 2)
    assert trained.read_bytes() == before


def test_a_damaged_deployed_network_leaves_the_place_to_the_champion(run: Path) -> None:
    trained = run / "iter_0002" / CHECKPOINT_NAME
    with RunDir.open(run) as opened:
        opened.deploy(trained)
    content = bytearray(trained.read_bytes())
    content[-5] ^= 64
    trained.write_bytes(content)
    with RunDir.open(run) as opened:
        assert any("the champion plays people" in str(finding) for finding in opened.findings)
        assert opened.deployed_checkpoint() == opened.champion_checkpoint()
    go_on(run, 3)


def test_a_candidate_that_plays_people_outlives_its_stage_being_repeated(run: Path) -> None:
    with RunDir.open(run) as opened:
        pointer = opened.deploy(opened.candidate_path(2))
        training = opened.iteration_dir(2) / "training.safetensors"
        content = bytearray(training.read_bytes())
        # Another seed, so that the candidate of the repeated stage is another network.
        settings_file = opened.settings_path
    content[-9] ^= 64
    training.write_bytes(content)
    settings_file.write_text(re.sub(r"(?m)^seed = .*$", "seed = 99", settings_file.read_text()))
    go_on(run, 3)
    with RunDir.open(run) as opened:
        assert opened.findings == ()
        assert sha256_of(opened.deployed_checkpoint()) == opened.deployed().sha256
        kept = run / "iter_0002" / f"deployed-{pointer.sha256[:8]}.safetensors"
        assert sha256_of(kept) == pointer.sha256


def test_an_old_run_folder_without_the_stage_goes_on(run: Path) -> None:
    with RunDir.open(run) as opened:
        for iteration in (1, 2):
            opened.database.forget_stages(iteration, ["deploy"])
        opened.deployed_path.unlink(missing_ok=True)
    (run / "iter_0002" / CHECKPOINT_NAME).unlink()
    go_on(run, 3)
    assert any(result.get("trained") for result in results(run))


@pytest.mark.parametrize(
    ("num_positions", "num_before", "due"),
    [(699, 0, False), (700, 0, True), (1399, 700, False), (1400, 700, True)],
)
def test_when_it_is_due(num_positions: int, num_before: int, due: bool) -> None:
    late = settings(**{"deploy.first_positions": 700})
    assert is_due(late, 2.0, num_positions, num_before) == due
    assert not is_due(late, 0.0, num_positions, num_before)
    assert not is_due(late.with_values({"deploy.growth": 0.0}), 2.0, num_positions, num_before)


def test_between_trainings_only_the_champion_plays_for_the_place(run: Path) -> None:
    go_on(run, 3)
    third = results(run)[2]
    assert set(third) == {"challenged"}
    assert not (run / "iter_0003" / CHECKPOINT_NAME).exists()


def test_growth_that_would_train_all_the_time_is_refused() -> None:
    with pytest.raises(ConfigError, match="growth must be 0 or at least"):
        settings(**{"deploy.growth": 1.0})


def test_status_says_who_plays_people(run: Path) -> None:
    with RunDir.open(run, writable=False) as opened:
        checkpoint = opened.deployed().checkpoint
    assert run_status(run).deployed == checkpoint
    shown = CliRunner().invoke(app, ["status", "--run", str(run)], catch_exceptions=False).stdout
    assert re.search(rf"plays people +{re.escape(checkpoint)}", shown)
    (run / "deployed").unlink()
    assert run_status(run).deployed == ""


class StageNotes:
    """Notes what the stage at hand says of itself."""

    def __init__(self, status: LiveStatus, _console: Console) -> None:
        self.status = status
        self.lines: list[str] = []

    def refresh(self) -> None:
        self.lines.append(progress_line(self.status))

    def stage_done(self, line: str) -> None: ...

    def iteration_done(self, iteration: int) -> None: ...

    def close(self) -> None: ...


def test_reading_the_positions_is_shown_as_part_of_the_stage(tmp_path: Path) -> None:
    views: list[StageNotes] = []

    def open_view(status: LiveStatus, console: Console) -> StageNotes:
        views.append(StageNotes(status, console))
        return views[-1]

    with init_run(tmp_path / "run", settings()) as run:
        run_loop(run, run.settings(), iterations=1, console=Console(file=StringIO()), open_view=open_view)
    assert "  iteration 1, deploy: reading the positions to learn from" in views[0].lines
