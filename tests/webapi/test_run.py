"""What pages see of a run: figures, rows by iteration number, games to replay, files of the page."""

import pytest
from web_client import assert_problem, run_events, search_body, serving

from milton.config import Settings
from milton.games import Position
from milton.loop import init_run
from milton.records import GameRecord, write_games
from milton.rundir import RunDir


def test_a_run_is_shown_as_its_folder_has_it(client, learnt_run):
    found = client.get("/api/run").json()
    with RunDir.open(learnt_run, writable=False) as run:
        summary = run.summary()
    view = found["run"]
    assert (view["name"], view["game"], view["profile"]) == ("learnt", "connect_four", "any-game-quick")
    assert view["folder"] == str(learnt_run)
    assert (view["latestIteration"], view["isRunning"], view["stage"]) == (3, False, None)
    assert (view["numPositions"], view["numGames"]) == (summary.num_positions, summary.num_games)
    assert view["numPromotions"] == summary.num_promotions
    assert summary.champion.startswith(view["champion"].split()[0])
    assert [note["message"] for note in found["notes"]] == [e.message for e in summary.latest_events]


def test_the_newest_game_is_there_to_watch(client):
    live = client.get("/api/run").json()["live"]
    game = live["game"]
    assert live["kind"] in ("selfplay", "arena")
    assert live["number"] > 1
    start = game["record"]["start"] or Position.start("connect_four").text
    end = Position.from_text("connect_four", start).play_all(game["record"]["moves"])
    assert (end.outcome().reason, end.outcome().result) == (game["endReason"], game["result"])
    assert len(game["values"]) == len(game["notation"]) == len(game["record"]["moves"])


def test_rows_come_by_iteration_number(client):
    page = client.get("/api/run/iterations").json()
    assert [row["iteration"] for row in page["iterations"]] == [1, 2, 3]
    assert page["nextSince"] is None
    for row in page["iterations"]:
        assert row["isComplete"]
        games, arena = row["selfplay"], row["arena"]
        assert games["firstWins"] + games["draws"] + games["secondWins"] == games["numGames"]
        assert arena["wins"] + arena["draws"] + arena["losses"] == 8
        assert row["training"]["policyLoss"] > 0
        assert row["wasPromoted"] == arena["wasPromoted"] == (arena["score"] >= 0.4)
    first = client.get("/api/run/iterations", params={"limit": 2}).json()
    rest = client.get("/api/run/iterations", params={"since": first["nextSince"]}).json()
    assert first["iterations"] + rest["iterations"] == page["iterations"]


def test_the_games_of_any_iteration_can_be_replayed(client):
    for iteration in (1, 2, 3):
        games = client.get(f"/api/run/iterations/{iteration}/games").json()["games"]
        assert {game["kind"] for game in games} == {"selfplay", "arena"}
        for entry in games[::9]:
            game = client.get(f"/api/run/iterations/{iteration}/games/{entry['index']}").json()
            assert len(game["record"]["moves"]) == entry["numMoves"]
            assert game["players"] == entry["players"]
            view = client.post("/api/position", json=game["record"]).json()
            assert view["outcome"]["winner"] == game["winner"] == entry["winner"]


def test_games_of_chess_are_read_from_pgn(tmp_path, client):
    """As self-play writes them: values in comments, other starts in headers."""
    start = Position.start("chess").play("e2e4")
    mate = ("e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
    with RunDir.create(tmp_path / "run", Settings.profile("any-game-quick", {"loop.game": "chess"})) as run:
        run.iteration_dir(1, create=True)
        values = (None, 0.5, -0.25, 0.5, -0.5, 1.0)
        game = GameRecord.of_moves(
            "chess", start.text, mate, values_stm=values, winner=0, end_reason="checkmate"
        )
        write_games(run.iteration_dir(1) / "games.pgn", [game])
    with serving(run=tmp_path / "run") as own:
        found = own.get("/api/run/iterations/1/games/0").json()
    assert found["record"] == {"game": "chess", "start": start.text, "moves": list(mate)}
    assert found["values"] == [None, 0.5, 0.25, 0.5, 0.5, 1.0]
    assert (found["winner"], found["endReason"], found["notation"][-1]) == (0, "checkmate", "Qxf7#")


def test_links_do_not_lead_out_of_the_run(tmp_path, learnt_run):
    with RunDir.create(
        tmp_path / "run", Settings.profile("any-game-quick", {"loop.game": "connect_four"})
    ) as run:
        folder = run.iteration_dir(1, create=True)
        for name in ("games.jsonl", "candidate.safetensors"):
            (folder / name).symlink_to(learnt_run / "iter_0001" / name)
    with serving(run=tmp_path / "run") as own:
        assert own.get("/api/run/iterations/1/games").json()["games"] == []
        listed = own.get("/api/networks", params={"game": "connect_four"}).json()
        assert "run:iter_0001" not in {network["id"] for network in listed}
        record = {"game": "connect_four", "moves": []}
        assert_problem(own.post("/api/search", json=search_body(record, "run:iter_0001", level=1)), 404)


def test_what_is_not_there_is_not_found(client):
    assert client.get("/api/run/iterations/99/games").json()["games"] == []
    assert_problem(client.get("/api/run/iterations/1/games/999"), 404)
    assert_problem(client.get("/api/run/iterations/99/games/0"), 404)
    assert client.get("/api/run/iterations", params={"since": 1000}).json()["iterations"] == []


@pytest.mark.parametrize(
    "address",
    [
        "/api/run/iterations/-1/games",
        "/api/run/iterations/1.5/games",
        "/api/run/iterations/99999999999999999999/games",
        "/api/run/iterations/..%2F..%2Fetc/games",
        "/api/run/iterations/1/games/-1",
        "/api/run/iterations/1/games/..%2Farena.json",
        "/api/run/iterations?since=0",
        "/api/run/iterations?limit=201",
        "/api/run/iterations?since=x",
    ],
)
def test_numbers_are_numbers_and_no_paths(client, address):
    response = client.get(address)
    assert response.status_code in (404, 422)
    assert_problem(response, response.status_code)


def test_without_a_run_the_page_is_told_how_to_get_one(runless_client):
    for address in ("/api/run", "/api/run/iterations", "/api/run/events", "/api/run/iterations/1/games"):
        assert "milton loop" in assert_problem(runless_client.get(address), 404)["hint"]
    assert runless_client.get("/api/info").json()["run"] is None


def test_a_run_that_appears_later_is_served_and_stays(tmp_path):
    root = tmp_path / "runs"
    settings = Settings.profile("any-game-quick", {"loop.game": "connect_four"})
    with serving(root=root) as own, own.stream("GET", "/api/run/events") as response:
        events = run_events(response)
        waiting = next(events)
        assert (waiting.kind, waiting.message["message"].split(";")[0]) == ("problem", "no run is served yet")
        assert "milton loop" in assert_problem(own.get("/api/run"), 404)["hint"]
        assert own.get("/api/info").json()["run"] is None
        (root / "broken").mkdir(parents=True)
        (root / "broken" / "milton.toml").write_text("not a run")
        init_run(root / "first", settings).close()
        found = next(events)
        assert (found.kind, found.message["run"]["name"]) == ("snapshot", "first")
        init_run(root / "second", settings).close()
        assert own.get("/api/run").json()["run"]["name"] == own.get("/api/info").json()["run"] == "first"
        networks = own.get("/api/networks", params={"game": "connect_four"}).json()
        assert networks[0]["label"].startswith("champion of first")


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path):
    with serving(static=tmp_path / "nowhere") as client:
        response = client.get("/")
        assert response.status_code == 200
        assert "make web" in response.text


def test_built_files_are_served_and_nothing_beside_them(tmp_path):
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("the page")
    (static / "assets" / "app-1a2b.js").write_text("the app")
    (tmp_path / "secret.txt").write_text("secret")
    (static / "link.txt").symlink_to(tmp_path / "secret.txt")
    with serving(static=static) as client:
        assert client.get("/").text == client.get("/play/chess").text == "the page"
        assert client.get("/").headers["cache-control"] == "no-cache"
        asset = client.get("/assets/app-1a2b.js")
        assert asset.text == "the app"
        assert "immutable" in asset.headers["cache-control"]
        assert "javascript" in asset.headers["content-type"]
        for address in (
            "/../secret.txt",
            "/..%2fsecret.txt",
            "/assets/%2e%2e/%2e%2e/secret.txt",
            "/link.txt",
        ):
            assert "secret" not in client.get(address).text
        assert_problem(client.get("/missing.js"), 404)
        assert_problem(client.get("/api/missing"), 404)
