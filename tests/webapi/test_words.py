"""Reviews in the page in a language model's words: faults leave the page its own sentences."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from chat_server import KEY, ChatServer, chat_server, completion, status
from web_client import assert_problem, serving

GAME = {"game": "chess", "start": None, "moves": ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]}
BLUNDER = {
    "ply": 5,
    "lost": 0.62,
    "played": ["Nf6", "Qxf7"],
    "better": ["Qe7", "Nf3"],
    "allowedMateIn": 1,
}
GOOD = "The queen takes on f7, and Qe7 would have guarded it."


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("MILTON_HOME", str(tmp_path))
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    return tmp_path


@contextmanager
def worded_pages(home, *answers) -> Iterator[tuple[httpx2.Client, ChatServer]]:
    """A server whose user has configured a model."""
    with chat_server(*answers) as chat:
        (home / "milton.toml").write_text(
            f'[coach]\nprovider = "loopback"\nmodel = "parrot"\nbase_url = "{chat.base_url}"\n'
            'api_key = "env:LOOPBACK_API_KEY"\n'
        )
        with serving() as client:
            yield client, chat


def reply_of(text: str) -> str:
    return json.dumps({"sentences": [{"number": 1, "text": text}]})


def test_without_a_model_there_is_nobody_to_ask():
    with serving() as client:
        assert client.get("/api/words?game=chess").json() is None
        refused = client.post("/api/words", json={"record": GAME, "moves": [BLUNDER]})
        assert_problem(refused, 404)


def test_the_model_words_the_mistakes_of_a_game(own_home):
    with worded_pages(own_home, lambda: completion(reply_of(GOOD))) as (client, chat):
        assert client.get("/api/words?game=chess").json() == {"provider": "loopback", "model": "parrot"}
        found = client.post("/api/words", json={"record": GAME, "moves": [BLUNDER]}).json()
    assert found == {
        "provider": "loopback",
        "model": "parrot",
        "moves": [{"ply": 5, "text": GOOD}],
        "numDropped": 0,
        "problem": "",
    }
    told = chat.requests[0]["messages"][1]["content"]
    assert "Blunder: 62 % of the expected score lost. It allows mate in 1. Better: 3... Qe7 4. Nf3." in told


def test_invented_moves_and_faults_leave_the_pages_own_sentences(own_home):
    answers = [lambda: completion(reply_of("Better was Nh6.")), lambda: status(500)]
    with worded_pages(own_home, *answers) as (client, _):
        body = {"record": GAME, "moves": [BLUNDER]}
        invented = client.post("/api/words", json=body).json()
        assert (invented["moves"], invented["numDropped"], invented["problem"]) == ([], 1, "")
        failed = client.post("/api/words", json=body)
    assert failed.json()["moves"] == []
    assert "status 500" in failed.json()["problem"]
    assert KEY not in failed.text


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"ply": 7}, "moves.0.ply"),
        ({"played": ["Qxh8"]}, "moves.0.played"),
        ({"better": ["Ke4"]}, "moves.0.better"),
        ({"lost": 1.5}, "moves.0.lost"),
    ],
)
def test_what_is_no_review_of_the_game_is_refused_before_anybody_is_asked(own_home, change, where):
    with worded_pages(own_home, lambda: completion(reply_of(GOOD))) as (client, chat):
        refused = client.post("/api/words", json={"record": GAME, "moves": [BLUNDER | change]})
        assert_problem(refused, 422)
        assert where in refused.json()["where"]
        assert chat.requests == []
