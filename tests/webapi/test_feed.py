"""The stream of a run's events: a snapshot, then changes; the truth after every reconnection."""

import time
from contextlib import contextmanager

import pytest
from web_client import Event, assert_problem, run_events, serving, wait_until

from milton.config import Settings
from milton.rundir import ChampionRecord, GamesRecord, RatingRecord, RunDir, StageRecord
from milton.webapi.run_feed import MAX_WATCHERS
from milton.webapi.run_reader import MAX_ROWS

STAGES = ("selfplay", "train", "arena", "ladder")


def add_iteration(run: RunDir, number: int, stages=STAGES) -> None:
    """The rows that a finished iteration leaves."""
    database = run.database
    with database.transaction():
        for stage in stages:
            database.add_stage(StageRecord(number, stage, number * 10.0, number * 10.0 + 1))
        metrics = dict.fromkeys(("train/policy_loss", "holdout/policy_loss", "selfplay/draw_rate"), 1.0)
        database.add_metrics(number, metrics | {f"other/{index}": 0.0 for index in range(20)})
        database.add_games(GamesRecord(number, "selfplay", 10, 400, 4, 2, 4, 10, {"checkmate": 8}))
        database.add_rating(RatingRecord(number, "arena", "a", "b", 5, 1, 4, 35.0, float("-inf"), 200.0))
        if number % 10 == 0:
            database.add_champion(
                ChampionRecord(number, f"iter_{number:04d}/candidate.safetensors", "0" * 64)
            )


def add_iterations(run: RunDir, first: int, last: int) -> None:
    with run.database.transaction():
        for number in range(first, last + 1):
            add_iteration(run, number)


@pytest.fixture
def made_run(tmp_path):
    with RunDir.create(tmp_path / "made", Settings.profile("any-game-quick")) as run:
        yield run


@contextmanager
def watching(client, **options):
    with client.stream("GET", "/api/run/events", **options) as response:
        assert response.status_code == 200
        yield run_events(response)


def rows_of(events, up_to: int) -> tuple[dict, list[Event]]:
    """Rows as a page keeps them, until the one with a number has come; and the events that brought them."""
    rows, seen = {}, []
    while up_to not in rows:
        seen.append(next(events))
        if seen[-1].kind == "iterations":
            rows |= {row["iteration"]: row for row in seen[-1].message["iterations"]}
    return rows, seen


def test_a_stream_begins_with_the_truth_in_portions(made_run):
    add_iterations(made_run, 1, 1000)
    with serving(run=made_run.path) as client, watching(client) as events:
        first = next(events)
        assert first.kind == "snapshot"
        assert first.message["run"]["latestIteration"] == 1000
        rows, seen = rows_of(events, 1000)
        assert sorted(rows) == list(range(1, 1001))
        assert len(seen) == 1000 // MAX_ROWS
        assert rows[10]["wasPromoted"]
        assert rows[1]["arena"]["elo"] == {"elo": 35.0, "low": None, "high": 200.0}


def test_only_what_is_new_follows(made_run):
    add_iteration(made_run, 1)
    with serving(run=made_run.path) as client, watching(client) as events:
        rows_of(events, 1)
        made_run.database.add_event(1, "alarm", "draw_rate", "all games are drawn", action="worry")
        event = next(event for event in events if event.kind == "notes")
        assert [note["message"] for note in event.message["notes"]] == ["all games are drawn"]
        add_iteration(made_run, 2, stages=("selfplay",))
        rows, _ = rows_of(events, 2)
        assert not rows[2]["isComplete"]
        assert 1 not in rows or rows[1]["isComplete"]
        add_iteration(made_run, 2)
        rows, seen = rows_of(events, 2)
        assert rows[2]["isComplete"]
        assert set(rows) == {2}
        assert {event.kind for event in seen} <= {"run", "iterations"}


def test_progress_that_the_loop_publishes_is_passed_on(made_run):
    with serving(run=made_run.path) as client, watching(client) as events:
        assert next(events).message["run"]["stage"] is None
        stage = {
            "iteration": 4,
            "name": "arena",
            "unit": "games",
            "done": 25.0,
            "total": 100.0,
            "started_s": time.time(),
            "text": "+10 =5 −10",
            "found": 0.0,
            "share": 0.25,
            "eta_s": 12.0,
        }
        made_run.database.set_state("progress", {"updated_s": time.time(), "stage": stage, "num_games": 99})
        view = next(event for event in events if event.kind == "run").message["run"]
        assert view["isRunning"]
        assert (view["stage"]["name"], view["stage"]["share"], view["stage"]["etaS"]) == ("arena", 0.25, 12.0)
        assert view["numGames"] == 99


@pytest.mark.parametrize("by_header", [True, False])
def test_a_page_that_comes_back_gets_the_truth_and_only_rows_it_lacks(made_run, by_header):
    add_iterations(made_run, 1, 300)
    with serving(run=made_run.path) as client:
        with watching(client) as events:
            _, seen = rows_of(events, 300)
        add_iterations(made_run, 301, 303)
        last_id = seen[-1].id
        again = {"headers": {"Last-Event-ID": last_id}} if by_header else {"params": {"after": last_id}}
        with watching(client, **again) as events:
            assert next(events).message["run"]["latestIteration"] == 303
            rows, _ = rows_of(events, 303)
            assert sorted(rows) == [300, 301, 302, 303]


@pytest.mark.parametrize("last_id", ["nonsense", "made-0.000:5", ":", "x:99999999999999999999", "é"])
def test_an_id_of_another_run_brings_everything(made_run, last_id):
    add_iteration(made_run, 1)
    with serving(run=made_run.path) as client, watching(client, params={"after": last_id}) as events:
        assert sorted(rows_of(events, 1)[0]) == [1]


def test_a_run_that_goes_and_comes_back_is_shown_anew(made_run):
    add_iteration(made_run, 1)
    aside = made_run.path.with_name("aside")
    with serving(run=made_run.path) as client, watching(client) as events:
        old_id = next(events).message["runId"]
        rows_of(events, 1)
        made_run.path.rename(aside)
        assert next(event for event in events if event.kind == "problem").message["hint"]
        with RunDir.create(made_run.path, Settings.profile("any-game-quick")) as fresh:
            add_iteration(fresh, 1)
            snapshot = next(event for event in events if event.kind == "snapshot")
            assert snapshot.message["runId"] != old_id
            assert sorted(rows_of(events, 1)[0]) == [1]


def test_streams_are_counted_and_limited(made_run):
    with serving(run=made_run.path) as client:
        streams = [
            client.send(client.build_request("GET", "/api/run/events"), stream=True)
            for _ in range(MAX_WATCHERS)
        ]
        assert {stream.status_code for stream in streams} == {200}
        assert_problem(client.get("/api/run/events"), 429)
        for stream in streams:
            stream.close()
        wait_until(lambda: client.get("/api/info").json()["numWatchers"] == 0)


def test_a_running_loop_is_watched_from_another_process(watched_loop):
    """From its first to its last moment."""
    events = watched_loop.events
    views = [event.message["run"] for event in events if event.kind in ("snapshot", "run")]
    stages = {view["stage"]["name"] for view in views if view["stage"]}
    assert "self-play" in stages  # others may be over between two looks
    games = [event.message["live"]["game"] for event in events if event.kind == "live"]
    assert games
    assert all(game["record"]["moves"] and game["result"] for game in games)
    rows = {}
    for event in events:
        if event.kind == "iterations":
            rows |= {row["iteration"]: row for row in event.message["iterations"]}
    assert sorted(rows) == [1, 2, 3]
    assert all(row["isComplete"] for row in rows.values())
    assert any(event.kind == "notes" for event in events)
    assert views[-1]["latestIteration"] == 3
    assert not views[-1]["isRunning"]
