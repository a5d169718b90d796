"""Positions, imports and exports: the page holds no rules, so every answer must be the core's."""

import json

import pytest
from web_client import assert_problem

from milton.config import GAME_NAMES
from milton.games import Position

PGN = """[Event "a game"]
[White "Anderssen"]
[Result "1-0"]

1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. f4 {the gambit} exf4 $1 3. Bc4 Qh4+ 1-0

[Event "another one"]

1. d4 *
"""


def record(game="chess", *moves, start=None):
    return {"game": game, "start": start, "moves": list(moves)}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_record_without_moves_is_the_usual_start(client, game):
    view = client.post("/api/position", json=record(game)).json()
    start = Position.start(game)
    assert view == {
        "text": start.text,
        "sideToMove": 0,
        "ply": 0,
        "legalMoves": start.legal_moves(),
        "moves": [],
        "notation": [],
        "inCheck": False,
        "outcome": None,
    }


def test_a_finished_game_says_who_won_and_how(client):
    view = client.post("/api/position", json=record("chess", "f2f3", "e7e5", "g2g4", "d8h4")).json()
    assert view["outcome"] == {"reason": "checkmate", "winner": 1}
    assert view["notation"] == ["f3", "e5", "g4", "Qh4#"]
    assert view["inCheck"]
    assert view["legalMoves"] == []


def test_a_draw_that_could_be_claimed_ends_the_game_but_moves_stay_legal(client):
    back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    view = client.post("/api/position", json=record("chess", *back_and_forth)).json()
    assert view["outcome"] == {"reason": "threefold_repetition", "winner": None}
    assert view["legalMoves"]


def test_an_illegal_move_is_named_with_its_place(client):
    response = client.post("/api/position", json=record("chess", "e2e4", "e7e4"))
    assert assert_problem(response, 422)["where"] == "record.moves.1"


def test_a_bad_start_is_named_with_its_place(client):
    response = client.post("/api/position", json=record("chess", start="8/8/8/8 w - - 0 1"))
    assert assert_problem(response, 422)["where"] == "record.start"


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"game": "go", "moves": []},
        {"game": "chess", "moves": ["e2e4"], "colour": "white"},
        {"game": "chess", "moves": "e2e4"},
        {"game": "chess", "moves": ["e2e4"] * 2_001},
        {"game": "chess", "moves": ["e" * 17]},
        {"game": "chess", "moves": [], "start": "8" * 201},
        {"game": "chess", "moves": [None]},
    ],
)
def test_bodies_of_another_shape_are_refused(client, body):
    assert_problem(client.post("/api/position", json=body), 422)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"nonsense", b"\xff\xfe", b'{"game": "\\ud800"}', b"[" * 5_000]
)
def test_bodies_that_are_not_json_are_refused(client, content):
    response = client.post("/api/position", content=content, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    assert_problem(response, response.status_code)


def test_a_fen_is_imported_as_a_start(client):
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    found = client.post("/api/import", json={"game": "chess", "text": f"  {fen}\n"}).json()
    assert found == record(start=fen)


def test_the_main_line_of_the_first_game_of_a_pgn_is_imported(client):
    found = client.post("/api/import", json={"game": "chess", "text": PGN}).json()
    assert found == record("chess", "e2e4", "e7e5", "f2f4", "e5f4", "f1c4", "d8h4")


def test_moves_without_headers_are_a_pgn_too(client):
    found = client.post("/api/import", json={"game": "chess", "text": "1. e4 c5 2. Nf3"}).json()
    assert found == record("chess", "e2e4", "c7c5", "g1f3")


def test_a_pgn_may_start_elsewhere(client):
    text = '[SetUp "1"]\n[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]\n\n1. Ra8# 1-0'
    found = client.post("/api/import", json={"game": "chess", "text": text}).json()
    assert found == record("chess", "a1a8", start="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "1. e4 e5 2. Ke3",
        "rnbqkbnr/pppp/8 w - - 0 1",
        '[FEN "nonsense"]\n\n1. e4',
        '[Variant "Atomic"]\n\n1. e4',
        "(" * 50_000,
        "{" * 50_000,
        '{"game": "chess"}',
        '{"game": "chess", "start": null, "moves": ["e2e5"]}',
        '{"game": "santorini", "start": null, "moves": []}',
        "[" * 100_000,
    ],
)
def test_text_that_is_no_game_is_refused_with_what_was_expected(client, text):
    problem = assert_problem(client.post("/api/import", json={"game": "chess", "text": text}), 422)
    assert problem["where"] == "text"


def test_a_huge_pgn_is_refused(client):
    response = client.post("/api/import", json={"game": "chess", "text": "1. e4 " * 40_000})
    assert assert_problem(response, 422)["where"] == "text"
    response = client.post("/api/import", json={"game": "chess", "text": "1. e4 " * 400_000})
    assert_problem(response, 413)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_an_exported_game_is_imported_again(client, game):
    position, moves = Position.start(game), []
    for _ in range(9):
        moves.append(position.legal_moves()[len(moves) % 3])
        position = position.play(moves[-1])
    exported = client.post("/api/export", json={"record": record(game, *moves), "names": ["Ada", "Bob"]})
    assert "Ada" in exported.json()["text"]
    imported = client.post("/api/import", json={"game": game, "text": exported.json()["text"]}).json()
    assert (imported["moves"], imported["start"] or Position.start(game).text) == (
        moves,
        Position.start(game).text,
    )


def test_an_export_knows_results_from_the_board_and_beside_it(client):
    mate = record("chess", "f2f3", "e7e5", "g2g4", "d8h4")
    assert "0-1" in client.post("/api/export", json={"record": mate}).json()["text"]
    resigned = {"record": record("chess", "e2e4"), "result": "1-0"}
    assert '[Result "1-0"]' in client.post("/api/export", json=resigned).json()["text"]
    assert '[Result "*"]' in client.post("/api/export", json={"record": record()}).json()["text"]


def test_an_export_says_when_the_game_was_played(client):
    for game in ("chess", "santorini"):
        body = {"record": record(game), "date": "2026.11.30"}
        assert "2026.11.30" in client.post("/api/export", json=body).json()["text"]
    assert_problem(client.post("/api/export", json={"record": record(), "date": 'x"]'}), 422)


def test_names_cannot_break_out_of_the_file(client):
    name = 'x"]\n[Result "1-0'
    for game in ("chess", "santorini"):
        text = client.post("/api/export", json={"record": record(game), "names": [name, "y"]}).json()["text"]
        if game == "santorini":
            assert json.loads(text)["players"][0] == name
        else:
            assert '\n[Result "1-0' not in text


def test_moves_in_any_notation_come_back_in_that_of_the_core(client):
    given = record("chess", "e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O")
    view = client.post("/api/position", json=given).json()
    assert view["moves"] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"]
    assert view["notation"] == given["moves"]
