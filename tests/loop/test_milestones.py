"""Ratings on a published scale beside a loop: when they are due, what is told, kills in between."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from patience import PATIENCE_S
from rich.console import Console
from short_loop import TINY, tiny_settings

from milton.config import MilestoneSettings, Settings
from milton.errors import ConfigError, RunError
from milton.loop import init_run, run_loop, run_status
from milton.loop.live_status import LiveStatus
from milton.loop.milestone_record import (
    Milestone,
    RatedMilestone,
    milestone_under_way,
    rated_milestones,
    show_milestone,
)
from milton.loop.milestones import FOLDER, Milestones, is_possible, rated_from_report
from milton.loop.status_panel import render
from milton.rating import find_program
from milton.rundir import MILESTONE_KIND, RunDir, anchored_ratings

CHESS: dict[str, object] = {"loop.game": "chess"}
PROGRAM = Path(__file__).parents[1] / "support" / "short_loop.py"
REPORT = {
    "limit": "2+0.02",
    "ratings": [
        {
            "player": "milton",
            "elo": 3150.4,
            "low": 3111.0,
            "high": 3191.0,
            "anchored": False,
            "shut_out": False,
        },
        {"player": "ethereal", "elo": 3410, "low": 3410, "high": 3410, "anchored": True, "shut_out": False},
    ],
    "meetings": [
        {"opponent": "glaurung", "wins": 8, "draws": 1, "losses": 1, "faults": []},
        {"opponent": "ethereal", "wins": 2, "draws": 11, "losses": 17, "faults": [{"kind": "time_loss"}]},
    ],
}
LINE = (
    "1 h of 2 cores: about 3,150 on the CCRL scale, ± 40 (iter_0000 {sha}, +10 =12 −18 against glaurung, "
    "ethereal at 2+0.02, 1 lost on time)"
)
PRINTS_REPORT = f"print({json.dumps(json.dumps(REPORT))})"
WAITS = "import sys; sys.stdin.read(); sys.exit(1)"


def chess(**changes: object) -> Settings:
    return tiny_settings(**{**CHESS, **changes})


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunDir]:
    with init_run(tmp_path / "run", chess()) as made:
        yield made


def beside(run: RunDir, code: str) -> Milestones:
    """Ratings by a program that takes the place of the match."""

    def command(_run: RunDir, _settings: MilestoneSettings, _milestone: Milestone) -> list[str]:
        return [sys.executable, "-c", code]

    return Milestones(run, run.settings(), 2, command)


def until_told(milestones: Milestones) -> list[str]:
    give_up_s = time.monotonic() + PATIENCE_S
    while not (found := milestones.notices()):
        assert time.monotonic() < give_up_s
        time.sleep(0.01)
    return [f"{notice.level} {notice.message}" for notice in found]


def test_a_rating_is_told_kept_and_shown(run: RunDir) -> None:
    milestones = beside(run, PRINTS_REPORT)
    milestones.start_if_due(3, processor_s=7260.0)  # 121 minutes of processor time
    line = LINE.format(sha=run.champion().sha256[:8])
    assert until_told(milestones) == [f"info {line}"]
    (row,) = run.database.ratings(MILESTONE_KIND)
    assert (row.iteration, row.opponent, row.elo) == (3, "ccrl: glaurung, ethereal", 3150.4)
    assert (row.wins, row.draws, row.losses) == (10, 12, 18)
    assert milestone_under_way(run) is None
    (shown,) = anchored_ratings(run.path)
    assert (shown.network, shown.elo, shown.num_games) == (run.champion().checkpoint, 3150.4, 40)
    found = run_status(run.path)
    assert [str(entry) for entry in found.milestones] == [line]
    assert found.summary.latest_rating is None  # another scale than Elo over the first
    status = LiveStatus()
    show_milestone(status, run)
    screen = Console(width=80)
    with screen.capture() as capture:
        screen.print(render(status, time.time(), 80))
    assert "CCRL scale          about 3,150 ± 40" in capture.get()
    assert "1 h of 2 cores" in capture.get()


def test_every_milestone_is_rated_once_and_those_passed_meanwhile_are_not(run: RunDir) -> None:
    milestones = beside(run, PRINTS_REPORT)
    assert milestones.start_if_due(1, processor_s=2 * 60 * 9.9) == ""
    assert milestone_under_way(run) is None
    begun = milestones.start_if_due(2, processor_s=2 * 60 * 31.0)  # 10 and 30 minutes have passed
    assert begun == f"rating {run.deployed().short_name} by 40 games against engines, beside the loop"
    until_told(milestones)
    milestones.start_if_due(3, processor_s=2 * 60 * 59.0)
    assert milestone_under_way(run) is None
    milestones.start_if_due(4, processor_s=2 * 60 * 85.0)
    until_told(milestones)
    words = [entry.milestone.time_words for entry in rated_milestones(run)]
    assert words == ["31 min of 2 cores", "1 h 25 min of 2 cores"]


def test_a_match_that_fails_is_told_and_the_next_milestone_is_rated(run: RunDir) -> None:
    broken = beside(run, "import sys; sys.exit('the engine is on strike')")
    broken.start_if_due(1, processor_s=1200.0)
    (told,) = until_told(broken)
    assert told == ("warning 10 min of 2 cores: no rating: ended with exit code 1: the engine is on strike")
    assert milestone_under_way(run) is None
    senseless = beside(run, "print('{}')")
    senseless.start_if_due(2, processor_s=3600.0)
    assert "no rating: the games gave no rating" in until_told(senseless)[0]
    beside(run, PRINTS_REPORT).start_if_due(3, processor_s=3600.0)
    assert milestone_under_way(run) is None  # 30 minutes had their turn


def test_a_match_that_the_end_of_the_loop_stopped_is_taken_up_again(run: RunDir) -> None:
    milestones = beside(run, WAITS)
    milestones.start_if_due(1, processor_s=1200.0)
    milestones.close(PATIENCE_S)
    assert milestones.notices() == []
    stopped = milestone_under_way(run)
    assert stopped is not None
    assert stopped.checkpoint == "iter_0000/candidate.safetensors"
    resumed = beside(run, PRINTS_REPORT)
    resumed.resume()
    assert "10 min of 2 cores: about 3,150" in until_told(resumed)[0]


def test_a_network_that_is_gone_is_not_rated(run: RunDir) -> None:
    milestones = Milestones(run, run.settings(), 2)
    missing = Milestone(minutes=10.0, num_cores=2, iteration=7, checkpoint="iter_0007/x", sha256="0" * 64)
    run.database.set_state("milestone", missing.model_dump())
    milestones.resume()
    assert "10 min of 2 cores: no rating: " in until_told(milestones)[0]


@pytest.mark.parametrize(("wins", "words"), [(4, "above 2,456"), (0, "below 3,900")])
def test_games_that_are_all_won_or_all_lost_give_a_bound(wins: int, words: str) -> None:
    milestone = Milestone(minutes=10.2, num_cores=1, iteration=1, checkpoint="iter_0001/c", sha256="ab" * 32)
    rated = RatedMilestone(
        milestone=milestone,
        elo=3000.0,
        low=2456.0,
        high=3900.0,
        is_bound=True,
        wins=wins,
        draws=0,
        losses=4 - wins,
        opponents=("glaurung",),
        limit="2+0.02",
        num_time_losses=0,
    )
    assert str(rated) == (
        f"10 min of 1 core: {words} on the CCRL scale (iter_0001 abababab, +{wins} =0 −{4 - wins} "
        "against glaurung at 2+0.02)"
    )


@pytest.mark.parametrize(("load", "is_said"), [(0.0, False), (3.2, False), (17.6, True)])
def test_a_rating_on_a_busy_machine_says_so(load: float, is_said: bool) -> None:
    milestone = Milestone(minutes=10.2, num_cores=2, iteration=1, checkpoint="iter_0001/c", sha256="ab" * 32)
    line = str(rated_from_report(milestone, REPORT | {"load": load}))
    assert line.endswith("; too low on a busy machine: the load was 18") == is_said
    assert line.endswith(")") != is_said


ODD: list[dict[str, object]] = [
    {"minutes": float("inf")},
    {"minutes": float("nan")},
    {"minutes": -1.0},
    {"num_cores": 10**400},
    {"iteration": 10**400},
    {"iteration": -1},
    {"checkpoint": "x" * 10_000},
]
GOOD = Milestone(minutes=10.0, num_cores=2, iteration=7, checkpoint="iter_0000/c", sha256="0" * 64)


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_a_milestone_that_no_loop_wrote_is_as_good_as_none(run: RunDir, odd: dict[str, object]) -> None:
    run.database.set_state("milestone", GOOD.model_dump() | odd)
    assert milestone_under_way(run) is None
    rated = rated_from_report(GOOD, REPORT).model_dump()
    run.database.set_state("milestones", [rated, rated | {"milestone": GOOD.model_dump() | odd}])
    assert [entry.milestone for entry in rated_milestones(run)] == [GOOD]


@pytest.mark.parametrize("name", ["elo", "low", "wins", "load"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, "x"])
def test_a_rating_that_no_games_gave_is_left_out(run: RunDir, name: str, value: object) -> None:
    rated = rated_from_report(GOOD, REPORT).model_dump()
    run.database.set_state("milestones", [rated | {name: value}, rated])
    assert len(rated_milestones(run)) == 1


@pytest.mark.parametrize("in_the_way", ["file", "folder"])
def test_a_folder_of_milestones_that_is_in_the_way_costs_the_rating_alone(
    run: RunDir, in_the_way: str
) -> None:
    if in_the_way == "file":
        (run.path / FOLDER).write_text("x")
    else:
        (run.path / FOLDER / "0007.jsonl" / "deep").mkdir(parents=True)
    run.database.set_state("milestone", GOOD.model_dump())
    milestones = beside(run, "import sys; sys.exit('cannot write')")
    milestones.resume()
    assert "no rating: ended with exit code 1: cannot write" in until_told(milestones)[0]
    assert milestone_under_way(run) is None


def test_a_full_disk_leaves_the_match_to_the_next_loop(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise RunError("the disk is full")

    milestones = beside(run, PRINTS_REPORT)
    milestones.start_if_due(1, processor_s=1200.0)
    with monkeypatch.context() as patch:
        patch.setattr("milton.loop.milestones.add_anchored_rating", fails)
        assert "(not recorded: the disk is full)" in until_told(milestones)[0]
    assert milestone_under_way(run) is not None
    again = beside(run, PRINTS_REPORT)
    again.resume()
    until_told(again)
    assert len(rated_milestones(run)) == len(anchored_ratings(run.path)) == 1


def test_a_system_without_threads_costs_the_rating_alone(
    run: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_thread: object) -> None:
        raise RuntimeError("can't start new thread")

    milestones = beside(run, WAITS)
    monkeypatch.setattr("threading.Thread.start", fails)
    milestones.start_if_due(1, processor_s=1200.0)
    assert "no rating: can't start new thread" in milestones.notices()[0].message


def test_ratings_of_another_version_are_left_out(run: RunDir) -> None:
    run.database.set_state("milestones", [{"elo": 1}, "nonsense"])
    assert rated_milestones(run) == ()


def test_other_games_and_zero_games_are_not_rated() -> None:
    assert not is_possible(tiny_settings())
    assert not is_possible(chess(**{"milestones.games": 0}))


def test_a_limit_that_is_no_clock_is_refused() -> None:
    with pytest.raises(ConfigError, match="limit"):
        chess(**{"milestones.limit": "nodes:100"})


def test_processor_time_goes_on_over_restarts_and_is_unknown_for_older_runs(tmp_path: Path) -> None:
    path, used = tmp_path / "run", []
    with init_run(path, tiny_settings()) as run:
        for iterations in (1, 2):
            run_loop(
                run,
                run.settings(),
                iterations=iterations,
                console=Console(file=StringIO()),
            )
            used.append(run_status(path).processor_s)
        assert 0.0 < used[0] < used[1]
        progress = run.database.state("progress", {})
        del progress["processor_s"]
        run.database.set_state("progress", progress)
    assert run_status(path).processor_s is None


def wait_for(found: Callable[[], object]) -> None:
    give_up_s = time.monotonic() + PATIENCE_S
    while not found():
        assert time.monotonic() < give_up_s
        time.sleep(0.1)


def started_loop(path: Path, home: Path) -> subprocess.Popen[bytes]:
    """A loop whose first milestone comes at once, with a match of two short games against a real engine."""
    changes: dict[str, object] = {
        **TINY,
        **CHESS,
        "milestones.minutes": [0.0001],
        "milestones.games": 2,
        "milestones.limit": "0.2+0.01",
    }
    if not RunDir.exists(path):
        init_run(path, Settings.profile("any-game-quick", changes)).close()
    environment = {**os.environ, "MILTON_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, str(PROGRAM), str(path), "0"], env=environment, stdout=subprocess.DEVNULL
    )


def processes_about(words: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if words.encode() in command:
            found.append(folder.name)
    return found


@pytest.mark.skipif(
    find_program("glaurung") is None, reason="glaurung is not installed (Debian: apt install)"
)
def test_a_killed_loop_takes_its_match_along_and_the_next_one_resumes_it(tmp_path: Path) -> None:
    path, home = tmp_path / "run", tmp_path / "home"
    first = started_loop(path, home)
    wait_for(lambda: list(path.glob(f"{FOLDER}/*.jsonl")))
    first.kill()
    first.wait()
    wait_for(lambda: not processes_about(str(path / FOLDER)))
    with RunDir.open(path, writable=False) as run:
        stopped = milestone_under_way(run)
    assert stopped is not None
    second = started_loop(path, home)
    wait_for(lambda: run_status(path).milestones)
    second.terminate()
    assert second.wait(PATIENCE_S) == 0
    (rated,) = run_status(path).milestones
    assert rated.milestone == stopped
    assert (rated.wins + rated.draws + rated.losses, rated.limit) == (2, "0.2+0.01")
    assert set(rated.opponents) == {"glaurung"}
