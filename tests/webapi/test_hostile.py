"""Whatever is sent, the server answers with what it promised: a result or a problem, never a failure."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from web_client import assert_problem

from milton.config import GAME_NAMES
from milton.games import Position

hostile = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
FIELDS = (
    "game",
    "start",
    "moves",
    "record",
    "network",
    "limits",
    "names",
    "result",
    "text",
    "level",
    "infinite",
)
NEARLY = st.dictionaries(
    st.sampled_from(FIELDS),
    JSON
    | st.sampled_from(GAME_NAMES)
    | st.fixed_dictionaries({"game": st.sampled_from(GAME_NAMES), "moves": st.lists(st.text(max_size=6))})
    | st.fixed_dictionaries({}, optional={"level": st.integers(-1, 3), "simulations": st.integers(-1, 9)}),
    max_size=6,
)
POSTS = ("/api/position", "/api/import", "/api/export", "/api/search")
STARTS = {game: Position.start(game).text for game in GAME_NAMES}


def assert_answered(response):
    """A result or a refusal of the usual shape."""
    assert response.status_code < 500, response.text
    if response.status_code != 200:
        assert_problem(response, response.status_code)


@hostile
@given(body=JSON | NEARLY, address=st.sampled_from(POSTS))
@example(
    body={"record": {"game": "chess"}, "limits": {"level": 1}, "network": "\ud800"}, address="/api/search"
)
def test_any_json_is_answered(client, body, address):
    content = json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    assert_answered(client.post(address, content=content, headers=headers))


@hostile
@given(st.binary(max_size=200), st.sampled_from(POSTS))
def test_any_bytes_are_answered(client, content, address):
    assert_answered(client.post(address, content=content, headers={"Content-Type": "application/json"}))


@st.composite
def bent_records(draw):
    """Records of real games, bent here and there."""
    game = draw(st.sampled_from(GAME_NAMES))
    start = list(STARTS[game])
    for _ in range(draw(st.integers(0, 3))):
        start[draw(st.integers(0, len(start) - 1))] = draw(st.sampled_from("0123456789/ -wbKQkqrnpxo♔\x00é"))
    position, moves = Position.start(game), []
    for _ in range(draw(st.integers(0, 8))):
        if not position.legal_moves():
            break
        moves.append(draw(st.sampled_from(position.legal_moves())))
        position = position.play(moves[-1])
    if draw(st.booleans()):
        moves.insert(draw(st.integers(0, len(moves))), draw(st.text(max_size=8)))
    return {"game": game, "start": draw(st.sampled_from([None, "".join(start)])), "moves": moves}


@hostile
@given(bent_records())
def test_bent_games_are_answered_by_the_core_or_refused(client, record):
    response = client.post("/api/position", json=record)
    assert_answered(response)
    if response.status_code == 200:
        view = response.json()
        position = Position.from_text(record["game"], record["start"] or STARTS[record["game"]])
        assert view["text"] == position.play_all(record["moves"]).text
        exported = client.post("/api/export", json={"record": record})
        assert exported.status_code == 200
        imported = client.post("/api/import", json={"game": record["game"], "text": exported.json()["text"]})
        assert_answered(imported)
        if record["moves"]:
            assert imported.json()["moves"] == record["moves"]


@hostile
@given(
    st.sampled_from(GAME_NAMES),
    st.text(
        st.sampled_from('[](){}"%;$ \n\r\t./*-+=#0123456789abcdefghNBRQKOx\x00é{}') | st.characters(),
        max_size=300,
    ),
)
def test_any_text_is_imported_or_refused(client, game, text):
    response = client.post("/api/import", json={"game": game, "text": text or "x"})
    assert_answered(response)
    if response.status_code == 200:
        assert client.post("/api/position", json=response.json()).status_code == 200


@hostile
@given(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(["/", "/api/", "/api/run/iterations/"]),
)
def test_any_address_is_answered(client, path, prefix):
    from urllib.parse import quote

    response = client.get(prefix + quote(path))
    assert response.status_code in (200, 307, 404, 405, 422)


@pytest.mark.parametrize("header", ["Host", "Origin", "Cookie", "Authorization", "Last-Event-ID"])
@pytest.mark.parametrize("value", [b"", b"\xff\xfe", b"x" * 9_000, b"a=b; c", b"-1", b"[::", b"Bearer"])
def test_any_header_is_answered(client, header, value):
    response = client.get("/api/info", headers=[(header.encode(), value)])
    assert response.status_code in (200, 400, 403, 413), response.text
