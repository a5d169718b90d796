"""The bot's scoreboard: read from its own list, hostile lines and names included."""

import json
import os
import time

import pytest
from web_client import assert_problem, serving

from milton.errors import RequestError
from milton.webapi.bot_reader import read_bot, read_bot_game

PGN = """[Event "Rated blitz"]
[Site "https://lichess.org/abcd1234"]
[White "milton"]
[Black "guest"]
[Result "1-0"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0
"""
GAME = {
    "id": "abcd1234", "opponent": "guest", "opponent_is_bot": False, "colour": "white", "rated": True,
    "time_control": "180+2", "status": "mate", "result": "1-0", "num_plies": 5, "network": "iter_0004",
    "ended_at": 1_700_000_000.0,
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    lost = GAME | {"id": "efgh5678", "result": "0-1", "opponent_is_bot": True, "network": "iter_0007"}
    uncounted = GAME | {"id": "../../etc", "result": "*", "a_new_field": 1}
    lines = [json.dumps(game) for game in (GAME, lost, uncounted)]
    (tmp_path / "games.jsonl").write_text("\n".join([*lines, '{"id": "cut sho']) + "\n", encoding="utf-8")
    (tmp_path / "2026-01-01_abcd1234.pgn").write_text(PGN, encoding="utf-8")
    return tmp_path


def test_games_are_listed_with_the_bots_score_and_a_link(folder):
    with serving(bot=folder) as client:
        view = client.get("/api/bot").json()
    assert view["numGames"] == 3
    assert [game["score"] for game in view["games"]] == [1.0, 0.0, None]
    assert view["games"][0]["url"] == "https://lichess.org/abcd1234"
    assert view["games"][2]["url"] is None


RUNNING = {
    "id": "wxyz9876", "opponent": "some\u202ebody", "opponent_rating": 1800, "opponent_is_bot": False,
    "colour": "black", "rated": True, "time_control": "60+0", "moves": ["e2e4", "e7e5"],
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "clocks_s": [58.5, 60.0],
    "is_thinking": False, "value_white": -0.1, "mate_in_white": None,
}  # fmt: skip
STATE = {
    "is_online": True, "account": "milton", "site": "https://lichess.org", "network": "iter_0007",
    "figures": {"num_reconnects": 2, "num_games": 9}, "messages": [{"at": 1.0, "text": "game x failed"}],
}  # fmt: skip


def test_running_games_are_told_with_clocks_faults_and_changes_of_networks(folder):
    broken = RUNNING | {"moves": ["e2e5"]}
    state = STATE | {
        "at": time.time() + 3600,
        "games": [RUNNING, broken],
    }  # fresh, however slow it goes
    (folder / "now.json").write_text(json.dumps(state), encoding="utf-8")
    (folder / "swaps.jsonl").write_text('{"at": 5.0, "network": "iter_0007"}\n{"at": 6', encoding="utf-8")
    with serving(bot=folder) as client:
        view = client.get("/api/bot").json()
    (game,) = view["now"]["games"]
    assert game["position"]["notation"] == ["e4", "e5"]
    assert game["clocksS"] == [58.5, 60.0]
    assert "\u202e" not in game["opponent"]
    assert game["url"] == "https://lichess.org/wxyz9876"
    assert view["now"]["faults"]["lost connections"] == 2
    assert view["swaps"] == [{"at": 5.0, "network": "iter_0007"}]


def test_a_bot_that_fell_silent_plays_nothing_any_more(folder):
    state = STATE | {"at": time.time() - 3600, "games": [RUNNING]}
    (folder / "now.json").write_text(json.dumps(state), encoding="utf-8")
    with serving(bot=folder) as client:
        now = client.get("/api/bot").json()["now"]
        assert (now["isOnline"], now["games"]) == (False, [])
        (folder / "now.json").write_text("{", encoding="utf-8")
        assert client.get("/api/bot").json()["now"] is None


def test_a_game_on_another_server_is_no_link(folder):
    (folder / "games.jsonl").write_text(
        json.dumps(GAME | {"site": "http://127.0.0.1:1"}) + "\n", encoding="utf-8"
    )
    with serving(bot=folder) as client:
        assert client.get("/api/bot").json()["games"][0]["url"] is None


def test_a_game_can_be_stepped_through(folder):
    with serving(bot=folder) as client:
        game = client.get("/api/bot/games/abcd1234").json()
        assert game["notation"] == ["e4", "e5", "Qh5", "Ke7", "Qxe5#"]
        assert_problem(client.get("/api/bot/games/nothere"), 404)
        assert client.get("/api/bot/games/..%2f..%2fetc").status_code in (404, 422)


def test_without_a_bot_there_is_nothing_to_see_and_nothing_wrong(tmp_path):
    with serving(bot=tmp_path) as client:
        answer = client.get("/api/bot")
        assert (answer.status_code, answer.json()) == (200, None)
        assert "milton lichess" in assert_problem(client.get("/api/bot/games/abcd1234"), 404)["hint"]


@pytest.mark.parametrize("name", ["now.json", "games.jsonl", "swaps.jsonl", "2026-01-02_ijkl9012.pgn"])
def test_nobody_waits_for_a_pipe_among_the_files(folder, name):
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert name == "games.jsonl" or read_bot(folder).num_games == 3
    with pytest.raises(RequestError, match=r"no game|no bot"):
        read_bot_game(folder, "ijkl9012")


def test_a_link_shows_nothing_from_outside_the_folder(folder, tmp_path_factory):
    secret = tmp_path_factory.mktemp("outside") / "secret"
    secret.write_text("root:x:0:0")
    (folder / "2026-01-02_ijkl9012.pgn").symlink_to(secret)
    with pytest.raises(RequestError, match="no game"):
        read_bot_game(folder, "ijkl9012")


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_none_are_not_shown(folder, odd):
    games = [RUNNING | {"clocks_s": [odd, 1.0]}, RUNNING | {"value_white": odd}]
    for state in (STATE | {"at": odd, "games": []}, STATE | {"at": time.time(), "games": games}):
        (folder / "now.json").write_text(json.dumps(state), encoding="utf-8")
        assert read_bot(folder).now is None
    (folder / "games.jsonl").write_text(json.dumps(GAME | {"ended_at": odd}) + "\n", encoding="utf-8")
    assert read_bot(folder).games == []


def test_a_bot_that_ended_before_the_clock_was_set_back_is_not_online(folder):
    state = STATE | {"at": time.time() + 366 * 86_400, "games": [RUNNING]}
    (folder / "now.json").write_text(json.dumps(state), encoding="utf-8")
    assert not read_bot(folder).now.is_online
