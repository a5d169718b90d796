"""Figures that a person sees while a loop runs: right when shown, absent when nothing is known."""

import re
from io import StringIO
from math import inf
from pathlib import Path

import pytest
from finished_runs import go_on
from rich.console import Console
from short_loop import tiny_settings

from milton.config import Settings
from milton.loop import LiveStatus, init_run, run_loop, run_status
from milton.loop import run_log as run_log_module
from milton.loop.live_status import StageFigures
from milton.loop.run_log import LOG_NAME, log_event, logging_to
from milton.loop.status_panel import elo_words
from milton.loop.strength import elo_over_first, show_elo
from milton.rundir import ARENA_KIND, LADDER_KIND, PROGRESS_KEY, RatingRecord, RunDir
from milton.selfplay import FinishedGames, GameSource, PlayingNetwork, open_source
from milton.training import Losses
from milton.workforce import LocalWorkforce


class AheadSource:
    """A source whose first answer of a stage holds what was played before the stage began."""

    def __init__(self, inner: GameSource) -> None:
        self._inner = inner
        for name in ("update", "num_simulations", "pause", "resume", "stop"):
            setattr(self, name, getattr(inner, name))

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        return self._inner.take(*((200, 60.0) if timeout_s == 0.0 else (min_positions, timeout_s)))


class AheadWorkforce(LocalWorkforce):
    @staticmethod
    def open_source(network: PlayingNetwork, settings: Settings, *, threads: int, seed: int) -> GameSource:
        return AheadSource(open_source(network, settings, threads=threads, seed=seed))


class Watcher:
    """Notes what self-play shows whenever something changes."""

    def __init__(self, status: LiveStatus, _console: Console) -> None:
        self.status = status
        self.stages: list[tuple[StageFigures, float]] = []

    def refresh(self) -> None:
        stage = self.status.stage
        if stage.name == "self-play":
            copy = StageFigures(stage.iteration, done=stage.done, total=stage.total, found=stage.found)
            self.stages.append((copy, self.status.mean_plies))

    def stage_done(self, line: str) -> None: ...

    def iteration_done(self, iteration: int) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def watched(tmp_path: Path) -> list[tuple[StageFigures, float]]:
    watchers: list[Watcher] = []

    def open_view(status: LiveStatus, console: Console) -> Watcher:
        watchers.append(Watcher(status, console))
        return watchers[-1]

    settings = tiny_settings(**{"loop.samples_per_iter": 2000})
    with init_run(tmp_path / "run", settings) as run:
        run_loop(run, settings, iterations=1, open_view=open_view, workforce=AheadWorkforce())
    return watchers[0].stages


def test_remaining_time_counts_nothing_that_was_played_before_the_stage(watched) -> None:
    shown = [stage for stage, _ in watched if stage.done > 0]
    assert shown[0].found == shown[0].done > 0
    assert shown[0].eta_s(shown[0].started_s + 60.0) is None
    assert {stage.found for stage in shown} == {shown[0].found}
    assert shown[-1].done >= shown[-1].total


def test_length_of_games_is_shown_with_the_first_finished_ones(watched) -> None:
    first = next(plies for stage, plies in watched if stage.done > 0)
    assert 7 <= first <= 42


def test_elo_stands_beside_the_network_it_was_measured_for(path: Path) -> None:
    with RunDir.open(path) as run:
        measured = elo_over_first(run)
        assert measured is not None
        assert measured.chained is None
        rated = measured.rating.player
        # A third network wins its match and is promoted; no ladder has seen it.
        folder = run.iteration_dir(3, create=True)
        checkpoint = run.candidate_path(3)
        checkpoint.write_bytes(run.champion_checkpoint().read_bytes() + b"\0")
        run.promote(3, checkpoint)
        assert folder.is_dir()
        unconnected = elo_over_first(run)
        assert unconnected is not None
        assert unconnected.chained is None
        name = run.champion().short_name
        run.database.add_rating(RatingRecord(3, "arena", name, rated, 60, 20, 20, 147.0, 80.0, 220.0))
        status = LiveStatus(champion=name)
        show_elo(status, run)
        assert status.elo_network == rated
        assert status.elo == measured.rating.elo_interval
        assert status.elo_chained is not None
        # The arena said +147; how much of that counts depends on what this run's own ladder confirmed.
        assert 0.0 <= status.elo_chained - measured.rating.elo <= 147.0 + 15.0
        assert re.fullmatch(r"about [+−-]\d+", elo_words(status))
    found = run_status(path)
    assert found.ladder[-1].player == rated
    assert found.elo_chained == pytest.approx(status.elo_chained)


def test_a_resumed_loop_shows_the_last_match_with_its_elo(path: Path) -> None:
    shown: list[LiveStatus] = []

    def open_view(status: LiveStatus, console: Console) -> Watcher:
        shown.append(status)
        return Watcher(status, console)

    with RunDir.open(path) as run:
        match = run.database.ratings(ARENA_KIND)[-1]
        assert run_loop(run, run.settings(), iterations=2, open_view=open_view)
    assert shown[0].arena == f"+{match.wins} ={match.draws} −{match.losses}"
    assert shown[0].arena_elo == match.elo_interval


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(-10.0, 30.0, "+10 [-10, +30]"), (250.0, inf, "above +250"), (-inf, -250.0, "below -250")],
)
def test_a_shut_out_bounds_elo_on_one_side(low: float, high: float, words: str) -> None:
    assert RatingRecord(1, ARENA_KIND, "a", "b", 20, 0, 0, 10.0, low, high).elo_interval == words


def test_the_limit_of_iterations_is_the_one_that_the_loop_was_asked_for(path: Path) -> None:
    """The run's settings say 3; its loop went on beyond them, and was asked for 9."""
    with RunDir.open(path) as run:
        assert go_on(run, 4)
        run.database.set_state(PROGRESS_KEY, {"num_iterations": 9})
        assert run_status(path).num_iterations_set == 9
    assert run_status(path).num_iterations_set == 0


def test_after_a_rollback_the_champion_is_rated_and_not_its_loser(path: Path) -> None:
    with RunDir.open(path) as run:
        name = run.champion().short_name
        for player, elo in ((name, 200.0), ("iter_0009 00000000", -50.0)):
            interval = elo, elo - 9.0, elo + 9.0
            run.database.add_rating(RatingRecord(3, LADDER_KIND, player, "all", 4, 0, 0, *interval))
    found = run_status(path)
    assert found.over_first is not None
    assert (found.over_first.player, found.over_first.elo) == (name, 200.0)
    assert found.elo_chained is None


def test_an_estimate_trusts_the_arena_as_far_as_ladders_confirmed_it(tmp_path: Path) -> None:
    with RunDir.create(tmp_path / "run", tiny_settings()) as run:
        names = []
        for iteration in range(3):
            run.iteration_dir(iteration, create=True)
            run.candidate_path(iteration).write_bytes(bytes([iteration]))
            run.promote(iteration, run.candidate_path(iteration))
            names.append(run.champion().short_name)
        first, measured, present = names
        for rating in (
            RatingRecord(1, ARENA_KIND, measured, first, 91, 0, 9, 400.0, 300.0, 500.0),
            RatingRecord(1, LADDER_KIND, measured, first, 0, 0, 0, 100.0, 50.0, 150.0),
            RatingRecord(2, ARENA_KIND, present, measured, 600, 200, 200, 147.0, 120.0, 170.0),
        ):
            run.database.add_rating(rating)
        found = elo_over_first(run)
    assert found is not None
    assert found.chained == pytest.approx(100.0 + 147.0 / 4, abs=1.0)


def test_nothing_is_said_of_a_hold_out_that_does_not_exist(tmp_path: Path) -> None:
    screen = StringIO()
    settings = tiny_settings(**{"train.holdout_fraction": 0.0})
    with init_run(tmp_path / "run", settings) as run:
        run_loop(run, settings, iterations=1, console=Console(file=screen))
        names = {point.name for point in run.database.metrics()}
    (line,) = [line for line in screen.getvalue().splitlines() if "trained" in line]
    assert "hold-out" not in line
    assert "agreement" not in line
    assert "train/value_loss" in names
    assert not any(name.startswith("holdout/") for name in names)


def test_losses_without_positions_are_no_figures() -> None:
    losses = Losses(0.7, 0.0, 0.0, 0.0, 0.0, 0.1, 0.2, num_values=5.0, num_policies=0.0)
    assert losses.as_metrics("train") == {
        "train/value_loss": 0.7,
        "train/value_bias": 0.1,
        "train/value_error": 0.2,
    }


def test_the_run_folder_keeps_a_log_of_what_was_shown(path: Path) -> None:
    with RunDir.open(path) as run:
        assert go_on(run, 3)
    lines = (path / LOG_NAME).read_text().splitlines()
    assert all(
        re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|WARNING|ERROR) ", line) for line in lines
    )
    text = "\n".join(lines)
    for words in (
        "next is iteration 1",
        "iteration 2: trained",
        "next is iteration 3",
        "iteration 3: self-play",
    ):
        assert words in text


def test_the_log_is_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_log_module, "_MAX_BYTES", 1000)
    with logging_to(tmp_path):
        for number in range(200):
            log_event("info", f"line {number}")
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == [LOG_NAME, *(f"{LOG_NAME}.{number}" for number in (1, 2, 3))]
    assert all((tmp_path / name).stat().st_size <= 1000 for name in names)
    assert "line 199" in (tmp_path / LOG_NAME).read_text()


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).mkdir()
    with logging_to(tmp_path):
        log_event("alarm", "nobody hears this")
