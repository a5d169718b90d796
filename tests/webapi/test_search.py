"""Searches over HTTP: they grow before the page's eyes, end with a move, and end when the page leaves."""

import json
from contextlib import ExitStack

import pytest
from web_client import CHESS, assert_problem, search_body, serving, wait_until

from milton.config import GAME_NAMES
from milton.games import Position
from milton.webapi.networks import open_catalog
from milton.webapi.searching import IDLE_S, SearchManager
from milton.webapi.served_run import ServedRun

MATED = {"game": "chess", "start": None, "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}
MATE_IN_1 = {"game": "chess", "start": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "moves": []}


def lines(response):
    return [json.loads(line) for line in response.iter_lines()]


def num_active(client):
    return client.get("/api/info").json()["activeSearches"]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_search_ends_with_a_legal_move_and_all_candidates(client, game):
    record = {"game": game, "start": None, "moves": []}
    response = client.post("/api/search", json=search_body(record, "champion", simulations=200))
    result = lines(response)[-1]
    legal = Position.start(game).legal_moves()
    assert result.get("kind") == "result", result
    assert result["done"]
    assert result["move"] == result["candidates"][0]["move"]
    assert sorted(candidate["move"] for candidate in result["candidates"]) == sorted(legal)
    assert result["nodes"] == 200
    assert sum(result["wdl"]) == pytest.approx(1.0)
    for candidate in result["candidates"]:
        assert candidate["pv"][0] == candidate["move"]
        assert -1.0 <= candidate["value"] <= 1.0
        assert 0.0 <= candidate["prior"] <= 1.0


def test_a_search_finds_mate_and_writes_it_as_people_do(client):
    best = lines(client.post("/api/search", json=search_body(MATE_IN_1, simulations=2_000)))[-1]
    assert best["move"] == "a1a8"
    assert best["candidates"][0]["notation"] == "Ra8#"
    assert best["value"] == 1.0
    assert best["candidates"][0]["mateIn"] == 1


def test_a_search_can_be_confined_to_some_moves(client):
    body = search_body(MATE_IN_1, simulations=200, onlyMoves=["a1a2", "h3"])
    result = lines(client.post("/api/search", json=body))[-1]
    assert result["move"] in ("a1a2", "h2h3")
    visited = {candidate["move"] for candidate in result["candidates"] if candidate["visits"] > 0}
    assert visited == {"a1a2", "h2h3"}


def test_a_search_confined_to_an_illegal_move_is_refused(client):
    response = client.post("/api/search", json=search_body(simulations=1, onlyMoves=["a1a8"]))
    assert assert_problem(response, 422)["where"] == "limits.onlyMoves"


def test_progress_comes_before_the_result_and_grows(client):
    found = lines(client.post("/api/search", json=search_body(moveTimeMs=500)))
    assert [message["kind"] for message in found] == ["progress"] * (len(found) - 1) + ["result"]
    nodes = [message["nodes"] for message in found]
    assert nodes == sorted(nodes)
    with client.stream("POST", "/api/search", json=search_body(infinite=True)) as response:
        growing = map(json.loads, response.iter_lines())
        first = next(growing)["nodes"]
        assert next(message for message in growing if message["nodes"] > first)["kind"] == "progress"
    wait_until(lambda: num_active(client) == 0)


@pytest.mark.parametrize(
    "limits",
    [{"level": 1}, {"level": 5}, {"clock": {"whiteMs": 2_000, "blackMs": 1}}, {"moveTimeMs": 1}],
)
def test_every_kind_of_limit_ends_a_search(client, limits):
    assert lines(client.post("/api/search", json=search_body(**limits)))[-1]["kind"] == "result"


@pytest.mark.parametrize(
    ("limits", "algorithm"),
    [
        ({"moveTimeMs": 50}, "alphabeta"),
        ({"clock": {"whiteMs": 2000, "blackMs": 2000}}, "alphabeta"),
        ({"simulations": 20}, "mcts"),
        ({"moveTimeMs": 50, "algorithm": "mcts"}, "mcts"),
    ],
)
def test_the_search_is_named_and_time_is_searched_by_alpha_beta(runless_client, limits, algorithm):
    response = runless_client.post("/api/search", json=search_body(CHESS, "shipped", **limits))
    assert lines(response)[-1]["algorithm"] == algorithm


def test_alpha_beta_says_which_values_are_bounds(runless_client):
    """Only its lines have values of their own; of other moves it finds that they are no better than that."""
    body = search_body(CHESS, "shipped", moveTimeMs=200)
    playing = lines(runless_client.post("/api/search", json=body))[-1]["candidates"]
    assert [move["isBound"] for move in playing if move["visits"] > 0][:2] == [False, True]
    body = search_body(CHESS, "shipped", moveTimeMs=200, algorithm="alphabeta")
    analysing = lines(runless_client.post("/api/search", json=body))[-1]["candidates"]
    assert [move["isBound"] for move in analysing][:4] == [False, False, False, True]
    body = search_body(CHESS, "shipped", simulations=50)
    tree = lines(runless_client.post("/api/search", json=body))[-1]["candidates"]
    assert not any(move["isBound"] for move in tree)


def test_memory_of_idle_searches_is_given_back():
    searches = SearchManager(open_catalog(ServedRun(None, None), ()), max_searches=1, threads=1)
    searches._idle = [(0.0, None), (100.0, None)]
    searches.give_back(IDLE_S + 1.0)
    assert searches.num_idle == 1
    searches.give_back(IDLE_S + 101.0)
    assert searches.num_idle == 0


def test_a_search_stops_when_its_page_leaves(client):
    with client.stream("POST", "/api/search", json=search_body(infinite=True)) as response:
        found = response.iter_lines()
        next(found)
        assert num_active(client) == 1
    wait_until(lambda: num_active(client) == 0)


def test_a_page_that_leaves_before_it_has_read_anything_stops_its_search_too(client):
    with client.stream("POST", "/api/search", json=search_body(infinite=True)):
        pass
    wait_until(lambda: num_active(client) == 0)


def test_a_search_that_was_left_frees_an_engine_for_the_next_one():
    with serving(max_searches=1) as client:
        for _ in range(3):
            with client.stream("POST", "/api/search", json=search_body(infinite=True)) as response:
                assert next(response.iter_lines())
            wait_until(lambda: num_active(client) == 0)
        assert lines(client.post("/api/search", json=search_body(simulations=10)))[-1]["kind"] == "result"
        assert client.get("/api/info").json()["numSearches"] == 4


def test_more_searches_than_allowed_are_refused_kindly():
    with serving(max_searches=2) as client, ExitStack() as stack:
        searches = []  # kept: an iterator that is thrown away ends its answer
        for _ in range(2):
            open_search = client.stream("POST", "/api/search", json=search_body(infinite=True))
            searches.append(stack.enter_context(open_search).iter_lines())
            next(searches[-1])
        response = client.post("/api/search", json=search_body(simulations=1))
        assert_problem(response, 429)
        assert response.headers["retry-after"]


def test_a_refused_search_takes_no_place(client):
    for _ in range(10):
        assert_problem(client.post("/api/search", json=search_body(network="nobody", simulations=1)), 404)
        assert_problem(client.post("/api/search", json=search_body(MATED, simulations=1)), 422)
    assert num_active(client) == 0


def test_the_server_ends_while_a_search_is_running():
    with serving() as client:
        response = client.send(
            client.build_request("POST", "/api/search", json=search_body(infinite=True)), stream=True
        )
        found = response.iter_lines()
        next(found)
    response.close()


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"level": 0},
        {"level": 11},
        {"level": 3, "simulations": 5},
        {"simulations": 0},
        {"simulations": 10**9},
        {"simulations": 1.5},
        {"moveTimeMs": 600_001},
        {"clock": {"whiteMs": -1, "blackMs": 5}},
        {"clock": {"whiteMs": 10**30, "blackMs": 5}},
        {"infinite": "yes"},
        {"depth": 3},
    ],
)
def test_limits_that_make_no_sense_are_refused(client, limits):
    assert_problem(client.post("/api/search", json=search_body(**limits)), 422)


@pytest.mark.parametrize(
    "network",
    ["nobody", "run:iter_9999", "run:../iter_0001", "run:iter_0001/../../x", "/etc/passwd", "..", "run:"],
)
def test_networks_are_found_by_id_only(client, network):
    record = {"game": "connect_four", "start": None, "moves": []}
    problem = assert_problem(client.post("/api/search", json=search_body(record, network, level=1)), 404)
    assert problem["where"] == "network"


def test_a_network_of_another_game_is_refused(client):
    assert_problem(client.post("/api/search", json=search_body(CHESS, "run:iter_0001", level=1)), 404)


def test_networks_are_listed_with_the_run_first(client, runless_client):
    found = client.get("/api/networks", params={"game": "connect_four"}).json()
    assert found[0]["id"] == "champion"
    assert found[-1]["id"] == "uniform"
    assert {"run:iter_0000", "run:iter_0003"} <= {network["id"] for network in found}
    for network in found:
        record = {"game": "connect_four", "start": None, "moves": []}
        response = client.post("/api/search", json=search_body(record, network["id"], simulations=5))
        assert lines(response)[-1]["kind"] == "result"
    shipped = runless_client.get("/api/networks", params={"game": "chess"}).json()
    assert (shipped[0]["id"], shipped[-1]["id"]) == ("shipped", "uniform")
    assert_problem(client.get("/api/networks", params={"game": "go"}), 422)


def tree_of(client, record, network="uniform", path=()):
    return client.post("/api/tree", json={"record": record, "network": network, "path": list(path)})


def test_a_page_looks_inside_the_tree_of_a_search(runless_client):
    record = {"game": "chess", "start": None, "moves": ["d2d4"]}
    result = lines(runless_client.post("/api/search", json=search_body(record, simulations=400)))[-1]
    root = tree_of(runless_client, record).json()
    assert root["sideToMove"] == 1
    assert root["visits"] >= 400
    assert root["moves"][0]["move"] == result["move"]
    assert sum(move["visits"] for move in root["moves"]) == root["visits"] - 1
    best = root["moves"][0]
    below = tree_of(runless_client, record, path=[best["notation"]]).json()
    assert below["sideToMove"] == 0
    assert below["visits"] == best["visits"]
    assert {"move", "notation", "visits", "prior", "value", "exploration"} <= below["moves"][0].keys()


def test_a_page_that_asks_for_a_tree_that_is_not_there_gets_null(runless_client):
    record = {"game": "chess", "start": None, "moves": ["a2a3", "h7h6", "a3a4"]}
    response = tree_of(runless_client, record)
    assert response.status_code == 200
    assert response.json() is None


@pytest.mark.parametrize(
    ("path", "where"), [(["e7e5", "e7e5"], "path.1"), (["e7e5"] * 51, "path"), ([""], "path.0")]
)
def test_a_bad_path_into_a_tree_is_refused(runless_client, path, where):
    record = {"game": "chess", "start": None, "moves": ["e2e4"]}
    assert assert_problem(tree_of(runless_client, record, path=path), 422)["where"] == where


def test_looking_inside_keeps_the_memory_of_an_idle_search():
    searches = SearchManager(open_catalog(ServedRun(None, None), ()), max_searches=1, threads=1)
    one, other = object(), object()
    searches._idle = [(0.0, one), (1.0, other)]
    searches._keep(one)
    assert [engine for _, engine in searches._idle] == [other, one]
    searches.give_back(IDLE_S + 2.0)
    assert [engine for _, engine in searches._idle] == [one]
