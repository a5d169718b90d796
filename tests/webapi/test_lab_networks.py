"""What the lab has made can be played against: exported networks by search, methods as themselves."""

import json
from pathlib import Path

import pytest
from small_methods import small_method, trained
from web_client import assert_problem, search_body, serving, wait_until

from milton.errors import ArgumentError, CheckpointError
from milton.games import Position
from milton.lab import method_class
from milton.lab.reinforce import Reinforce
from milton.webapi.lab_networks import LabFolders, LabNetworks
from milton.webapi.networks import NetworkCatalog

FOUR = {"game": "connect_four", "start": None, "moves": ["d"]}


def answer(client, network, record=FOUR, **limits):
    response = client.post("/api/search", json=search_body(record, network, **limits))
    assert response.status_code == 200, response.text
    return json.loads(list(response.iter_lines())[-1])


@pytest.fixture(scope="module")
def lab_folder(tmp_path_factory) -> Path:
    """Methods for Connect Four that search and that do not, one for chess, one file that is none."""
    folder = tmp_path_factory.mktemp("lab")
    for name in ("mcts", "q-learning", "reinforce", "evolution"):
        trained(name, folder / f"{name}.lab")
    (folder / "damaged.lab").write_bytes(b"junk")
    return folder


@pytest.fixture(scope="module")
def lab_client(lab_folder):
    with serving(lab=(lab_folder,)) as client:
        yield client


def methods_of(client, game):
    listed = client.get("/api/networks", params={"game": game}).json()
    return {each["id"]: each for each in listed if each["id"].startswith("method:")}


def test_exported_networks_of_the_lab_can_be_played_against(tmp_path: Path) -> None:
    method = trained("reinforce", tmp_path / "reinforce.lab")
    assert isinstance(method, Reinforce)
    method.export(tmp_path / "reinforce.safetensors")
    (tmp_path / "damaged.safetensors").write_bytes(b"junk")
    catalog = NetworkCatalog((LabNetworks(LabFolders(tmp_path)),))
    assert [(entry.id, entry.family) for entry in catalog.list("connect_four")] == [("lab:reinforce", "mlp")]
    assert catalog.list("chess") == []
    assert catalog.load("lab:reinforce", "connect_four").dense is not None


def test_methods_are_listed_for_their_game_with_the_limits_they_know(lab_client):
    found = {each["id"]: each["limits"] for each in methods_of(lab_client, "connect_four").values()}
    assert found == {"method:mcts": "own", "method:q-learning": "none", "method:reinforce": "none"}
    assert set(methods_of(lab_client, "chess")) == {"method:evolution"}
    notes = {each["note"] for each in methods_of(lab_client, "connect_four").values()}
    assert notes == {"knows the rules and nothing else", "learnt by itself"}
    networks = lab_client.get("/api/networks", params={"game": "chess"}).json()
    assert {each["limits"] for each in networks if not each["id"].startswith("method:")} == {"any"}


def test_a_method_that_searches_plays_its_own_way_or_within_limits(lab_client):
    own = answer(lab_client, "method:mcts", own=True)
    assert own["nodes"] == 30  # of its settings
    legal = Position.start("connect_four").play("d").legal_moves()
    assert sorted(each["move"] for each in own["candidates"]) == sorted(legal)
    assert own["move"] == own["candidates"][0]["move"]
    assert answer(lab_client, "method:mcts", simulations=77)["nodes"] == 77
    assert answer(lab_client, "method:mcts", moveTimeMs=50)["kind"] == "result"
    chess = {"game": "chess", "moves": []}
    assert answer(lab_client, "method:evolution", chess, own=True)["nodes"] == 4


@pytest.mark.parametrize("name", ["q-learning", "reinforce"])
@pytest.mark.parametrize("limits", [{"own": True}, {"level": 3}, {"clock": {"whiteMs": 9, "blackMs": 9}}])
def test_a_method_without_search_shows_its_move_and_nothing_else(lab_client, name, limits):
    found = answer(lab_client, f"method:{name}", **limits)
    assert found["move"] in Position.start("connect_four").play("d").legal_moves()
    assert (found["candidates"], found["wdl"], found["value"], found["nodes"]) == ([], None, None, 0)
    wait_until(lambda: lab_client.get("/api/info").json()["activeSearches"] == 0)


def test_a_playout_search_stops_when_its_page_leaves(lab_client):
    body = search_body(FOUR, "method:mcts", infinite=True)
    with lab_client.stream("POST", "/api/search", json=body) as response:
        assert next(response.iter_lines())
    wait_until(lambda: lab_client.get("/api/info").json()["activeSearches"] == 0)


def test_networks_have_no_limits_of_their_own(lab_client):
    response = lab_client.post("/api/search", json=search_body(FOUR, "uniform", own=True))
    assert assert_problem(response, 422)["where"] == "limits.own"


def test_methods_of_another_game_damaged_or_elsewhere_are_refused(lab_client):
    for name in ("evolution", "damaged", "../mcts", "mcts.lab", ""):
        response = lab_client.post("/api/search", json=search_body(FOUR, f"method:{name}", own=True))
        assert_problem(response, 404)


def test_files_with_one_name_are_told_apart_and_new_ones_are_found(tmp_path, lab_folder):
    with serving(lab=(lab_folder / "mcts.lab", tmp_path, tmp_path / "mcts.lab")) as client:
        assert set(methods_of(client, "connect_four")) == {"method:mcts"}
        method = method_class("mcts")
        method("connect_four", method.parse_settings({"simulations": 9})).save(tmp_path / "mcts.lab")
        assert set(methods_of(client, "connect_four")) == {"method:mcts", "method:mcts-2"}
        assert answer(client, "method:mcts-2", own=True)["nodes"] == 9


def test_places_that_could_never_be_offered_are_refused_by_name(tmp_path, lab_folder):
    LabFolders(lab_folder, lab_folder / "mcts.lab").check()
    with pytest.raises(CheckpointError, match="damaged"):
        LabFolders(lab_folder / "damaged.lab").check()
    with pytest.raises(CheckpointError, match="missing"):
        LabFolders(tmp_path / "missing.lab").check()
    with pytest.raises(ArgumentError, match="nowhere"):
        LabFolders(tmp_path / "nowhere").check()


def test_an_answer_without_search_takes_a_place_and_frees_it(tmp_path):
    """A table that was never trained plays at random."""
    small_method("q-learning").save(tmp_path / "empty.lab")
    with serving(lab=(tmp_path,), max_searches=1) as client:
        for _ in range(3):
            assert answer(client, "method:empty", own=True)["move"]
