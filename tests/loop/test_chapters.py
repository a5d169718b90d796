from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from short_loop import tiny_settings

from milton.cli.options import settings_of
from milton.config import Settings
from milton.errors import MiltonError
from milton.loop import init_run, run_loop
from milton.loop.session import RunRequest, open_session
from milton.nets import read_checkpoint_info
from milton.nets.sizes import SparseSizes
from milton.nets.training_state import load_training_state
from milton.rundir import RunDir

# An iteration plays a little more than 400 positions, so the third one begins the chapter.
CHAPTER = {
    "after_positions": 800,
    "selfplay": {"simulations": 16},
    "network": {"hidden": 64},
    "arena": {"games": 4},
}


def go_on(path: Path, iterations: int) -> None:
    with RunDir.open(path) as run:
        run_loop(run, run.settings(), iterations=iterations, console=Console(file=StringIO()))


def steps_of(path: Path, iteration: int) -> int:
    with RunDir.open(path, writable=False) as run:
        stage = run.database.stage(iteration, "train")
    assert stage is not None
    return int(stage.result["steps"])


def width(path: Path, iteration: int) -> int:
    sizes = read_checkpoint_info(path / f"iter_{iteration:04d}/candidate.safetensors").description.sizes
    assert isinstance(sizes, SparseSizes)
    return sizes.hidden


@pytest.fixture(scope="module", params=["in one go", "stopped before and after"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chapters") / "run"
    settings = tiny_settings(**{"loop.chapters": [CHAPTER], "loop.checkpoint_every": 1})
    init_run(path, settings).close()
    for iterations in (4,) if request.param == "in one go" else (2, 3, 4):
        go_on(path, iterations)
    return path


def test_the_loop_searches_deeper_and_grows_its_network_in_a_new_chapter(run: Path) -> None:
    assert [width(run, iteration) for iteration in (1, 2, 3, 4)] == [32, 32, 64, 64]
    with RunDir.open(run, writable=False) as opened:
        matches = {record.iteration: record.num_games for record in opened.database.games("arena")}
        assert [matches[iteration] for iteration in (2, 3)] == [8, 4]


def test_a_change_of_chapter_is_told(run: Path) -> None:
    with RunDir.open(run, writable=False) as opened:
        told = [event for event in opened.database.events() if event.kind == "chapter"]
    assert told[0].iteration == 3
    assert "selfplay.simulations 8 → 16" in told[0].message
    assert "network.hidden 32 → 64" in told[0].message


def test_commands_on_a_run_use_the_settings_of_its_chapter(run: Path) -> None:
    assert settings_of(run).network.hidden == 64
    assert settings_of(run, overrides={"selfplay.simulations": 10}).selfplay.simulations == 10
    session = open_session(run, RunRequest())
    try:
        assert session.settings.network.hidden == 32
        assert isinstance(session.settings, Settings)
    finally:
        session.run.close()


def test_a_chess_network_reads_more_in_a_new_chapter(tmp_path: Path) -> None:
    path = tmp_path / "run"
    chapter = {"after_positions": 1, "network": {"encoder": "sparse-captures"}}
    settings = tiny_settings(
        **{"loop.game": "chess", "loop.chapters": [chapter], "loop.checkpoint_every": 1, "arena.games": 2}
    )
    init_run(path, settings).close()
    go_on(path, 2)
    encoders = [
        read_checkpoint_info(path / f"iter_{iteration:04d}/candidate.safetensors").description.encoder
        for iteration in (1, 2)
    ]
    assert encoders == ["sparse", "sparse-captures"]


@pytest.mark.parametrize(
    ("start", "encoder", "problem"),
    [
        ("sparse-captures", "sparse", "cannot grow into"),
        ("", "planes18", "planes18"),
    ],
)
def test_a_chapter_that_the_network_cannot_grow_into_is_refused_at_once(
    tmp_path: Path, start: str, encoder: str, problem: str
) -> None:
    settings = tiny_settings(
        **{
            "loop.game": "chess",
            "network.encoder": start,
            "loop.chapters": [{"after_positions": 5000, "network": {"encoder": encoder}}],
        }
    )
    with pytest.raises(MiltonError, match=problem):
        init_run(tmp_path / "run", settings)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("stops", [(4,), (2, 3, 4)], ids=["in one go", "stopped before and after"])
def test_a_network_begins_again_once_where_a_chapter_says_so(tmp_path: Path, stops: tuple[int, ...]) -> None:
    path = tmp_path / "run"
    chapter = {"after_positions": 800, "fresh_start": True, "train": {"fresh_passes": 3.0}}
    init_run(path, tiny_settings(**{"loop.chapters": [chapter], "loop.checkpoint_every": 1})).close()
    for iterations in stops:
        go_on(path, iterations)
    with RunDir.open(path, writable=False) as run:
        told = [event.iteration for event in run.database.events() if event.kind == "fresh_start"]
        played = {}
        for iteration in (1, 2, 3):
            selfplay = run.database.stage(iteration, "selfplay")
            assert selfplay is not None
            played[iteration] = selfplay.result["positions"]
        batch_size = run.settings().train.batch_size
    assert told == [3]
    # Three passes over all that was played, but for the games that are held out.
    assert steps_of(path, 3) == pytest.approx(3 * sum(played.values()) / batch_size, rel=0.3)
    # Had it begun again once more, the steps before would be forgotten.
    state = load_training_state(path / "iter_0004/training.safetensors")
    assert state.numbers == {"steps": steps_of(path, 3) + steps_of(path, 4), "fresh_starts": 1}


def test_a_lost_training_state_goes_on_from_the_champion_and_begins_nothing_again(tmp_path: Path) -> None:
    path = tmp_path / "run"
    chapter = {"after_positions": 1, "fresh_start": True, "train": {"fresh_passes": 20.0}}
    init_run(path, tiny_settings(**{"loop.chapters": [chapter], "loop.checkpoint_every": 1})).close()
    go_on(path, 2)
    fresh = steps_of(path, 2)
    for state in path.glob("iter_*/training.safetensors"):
        state.write_bytes(b"damaged")
    go_on(path, 3)  # trains the second iteration again, whose state is gone
    with RunDir.open(path, writable=False) as run:
        told = [event.iteration for event in run.database.events() if event.kind == "fresh_start"]
    assert told == [2]
    assert max(steps_of(path, 2), steps_of(path, 3)) < fresh / 2
