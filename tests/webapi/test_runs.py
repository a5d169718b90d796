"""Runs side by side: a list of all, their settings, curves by name and never by path."""

import math
import shutil

import pytest
from long_run import make_long_run
from web_client import assert_problem, run_events, serving

from milton.rundir import AnchoredRating, add_anchored_rating


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, length in (("short", 11), ("longer", 22)):
        make_long_run(folder / name, num_iterations=length)
    (folder / "no run").mkdir()
    return folder


def test_all_runs_beside_the_served_one_are_listed_with_their_settings(two_runs):
    with serving(run=two_runs / "longer") as client:
        runs = {run["name"]: run for run in client.get("/api/runs").json()}
    assert sorted(runs) == ["longer", "short"]
    assert runs["longer"]["isServed"]
    assert not runs["short"]["isServed"]
    assert runs["longer"]["latestIteration"] == 22
    assert runs["longer"]["rating"]["iteration"] == 20
    assert "train.learning_rate" in runs["short"]["settings"]


def test_settings_of_a_run_are_written_as_its_file_writes_them(two_runs, tmp_path):
    """Chapters one setting a row, so that those of two runs can be compared; no Python in between."""
    run = shutil.copytree(two_runs / "short", tmp_path / "short")
    chapter = "[[loop.chapters]]\nafter_positions = 900\ntrain.learning_rate = 0.5\n"
    settings_file = run / "milton.toml"
    settings_file.write_text(settings_file.read_text().replace("chapters = []\n", "") + f"\n{chapter}")
    with serving(run=run) as client:
        (summary,) = client.get("/api/runs").json()
    settings = summary["settings"]
    assert settings["loop.chapters.1.after_positions"] == "900"
    assert settings["loop.chapters.1.fresh_start"] == "false"
    assert settings["loop.chapters.1.train.learning_rate"] == "0.5"
    assert not [
        value for value in settings.values() if value in ("", "True", "False", "None") or "{" in value
    ]


def test_curves_have_gaps_where_nothing_was_measured(two_runs):
    with serving(run=two_runs / "longer") as client:
        curves = client.get("/api/runs/longer/curves").json()
    assert curves["iterations"] == list(range(1, 23))
    assert [
        number for number, elo in zip(curves["iterations"], curves["elo"], strict=True) if elo is not None
    ] == [5, 10, 15, 20]
    assert curves["positions"][:2] == [2_500, 5_000]
    assert all(loss is not None for loss in curves["policyLoss"])


@pytest.mark.parametrize("name", ["no run", "nowhere", "..", "%2e%2e%2fshort"])
def test_only_runs_of_the_list_have_curves(two_runs, name):
    with serving(run=two_runs / "longer") as client:
        assert client.get(f"/api/runs/{name}/curves").status_code == 404


def test_a_rating_says_when_it_was_measured(two_runs):
    with serving(run=two_runs / "longer") as client:
        run = client.get("/api/run").json()["run"]
    assert run["rating"]["iteration"] == 20
    assert run["championIteration"] >= 1


def test_without_runs_the_list_is_empty(tmp_path):
    with serving(root=tmp_path) as client:
        assert client.get("/api/runs").json() == []
        assert_problem(client.get("/api/runs/x/curves"), 404)


def test_any_run_of_the_list_can_be_watched_by_its_name(two_runs):
    with serving(run=two_runs / "longer") as client:
        assert client.get("/api/run").json()["run"]["name"] == "longer"
        assert client.get("/api/run", params={"run": "short"}).json()["run"]["name"] == "short"
        rows = client.get("/api/run/iterations", params={"run": "short"}).json()["iterations"]
        assert len(rows) == 11
        with client.stream("GET", "/api/run/events", params={"run": "short"}) as response:
            first = next(run_events(response))
        assert first.message["run"]["name"] == "short"
        for part in ("", "/iterations", "/coach", "/iterations/1/games", "/events"):
            refused = client.get(f"/api/run{part}", params={"run": "../longer"})
            assert "GET /api/runs" in assert_problem(refused, 404)["hint"]


def test_curves_carry_what_an_estimate_between_ladders_needs(two_runs):
    with serving(run=two_runs / "longer") as client:
        curves = client.get("/api/runs/longer/curves").json()
        rows = client.get("/api/run/iterations").json()["iterations"]
    promoted = [row["arena"]["elo"]["elo"] if row["wasPromoted"] else None for row in rows]
    assert curves["promotionElo"] == promoted
    assert 20 in promoted


def test_a_rating_on_the_scale_of_published_figures_is_shown_where_there_is_one(two_runs):
    run = two_runs / "longer"
    with serving(run=run) as client:
        assert client.get("/api/run").json()["run"]["anchored"] is None
        for elo in (2900.0, 3000.0):
            add_anchored_rating(
                run,
                AnchoredRating(
                    "iter_0012/candidate.safetensors", elo, elo - 50, math.inf, "ccrl", "8+0.08", 50, 1.0
                ),
            )
        shown = client.get("/api/run").json()["run"]["anchored"]
    assert shown == {
        "elo": 3000.0,
        "low": 2950.0,
        "high": None,
        "iteration": 12,
        "pool": "ccrl",
        "timeControl": "8+0.08",
        "numGames": 50,
    }
