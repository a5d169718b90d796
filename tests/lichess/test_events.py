"""Reading Lichess's lines: tolerant of what is new, strict about what goes into addresses and file names."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton.lichess.events import (
    Account,
    ChallengeDeclined,
    ChallengeEvent,
    GameFull,
    GameStart,
    GameState,
    OpponentGone,
    read_account_event,
    read_game_event,
    read_object,
)
from milton.lichess.failures import MalformedLineError

CHALLENGE = {
    "id": "H9fIRZUk",
    "url": "https://lichess.org/H9fIRZUk",
    "status": "created",
    "challenger": {"id": "bobby", "name": "Bobby", "rating": 1635, "title": None, "lag": 4},
    "destUser": {"id": "milton", "name": "Milton", "title": "BOT"},
    "variant": {"key": "standard", "name": "Standard", "short": "Std"},
    "rated": True,
    "speed": "rapid",
    "timeControl": {"type": "clock", "limit": 600, "increment": 0, "show": "10+0"},
    "color": "random",
    "perf": {"icon": "", "name": "Rapid"},
}
STATE = {
    "type": "gameState",
    "moves": "e2e4 c7c5",
    "wtime": 7598040,
    "btime": 8395220,
    "winc": 10000,
    "binc": 10000,
    "status": "started",
    "wdraw": True,
}


def line(**values) -> str:
    return json.dumps(values)


def test_a_challenge_is_read():
    event = read_account_event(line(type="challenge", challenge=CHALLENGE, compat={"bot": True}))
    assert isinstance(event, ChallengeEvent)
    assert event.challenge.challenger.name == "Bobby"
    assert event.challenge.time_control.limit == 600


def test_a_decline_says_why():
    declined = CHALLENGE | {"declineReason": "Later!", "declineReasonKey": "later"}
    event = read_account_event(line(type="challengeDeclined", challenge=declined))
    assert isinstance(event, ChallengeDeclined)
    assert event.challenge.decline_reason_key == "later"


def test_a_game_is_named_by_either_field():
    for field in ("gameId", "id"):
        event = read_account_event(line(type="gameStart", game={field: "5IrD6Gzz", "isMyTurn": True}))
        assert isinstance(event, GameStart)
        assert event.game.id == "5IrD6Gzz"


def test_a_state_is_read_with_the_eyes_of_each_side():
    state = read_game_event(json.dumps(STATE))
    assert isinstance(state, GameState)
    assert state.move_list == ["e2e4", "c7c5"]
    assert state.clock_s("white") == 7598.04
    assert state.increment_s("black") == 10
    assert state.offers_draw("white")
    assert not state.offers_draw("black")
    assert not state.is_over


def test_a_whole_game_may_lack_a_clock_and_an_opponents_name():
    event = read_game_event(
        line(
            type="gameFull",
            id="5IrD6Gzz",
            variant={"key": "standard"},
            white={"aiLevel": 3},
            black={"id": "milton", "name": "Milton"},
            state=STATE,
        )
    )
    assert isinstance(event, GameFull)
    assert event.clock is None
    assert event.white.text == "AI level 3"


def test_texts_that_are_shown_hold_nothing_that_ends_a_write_or_steers_a_terminal():
    player = {"id": "bobby", "name": "a\ud800\x1b[31m\nb" + "c" * 10_000, "title": "\0"}
    full = {"type": "gameFull", "id": "5IrD6Gzz", "variant": {"key": "standard\r"}, "speed": "\x9b"}
    event = read_game_event(json.dumps({**full, "white": player, "black": player, "state": STATE}))
    assert isinstance(event, GameFull)
    for text in (event.white.text, event.white.title, event.variant.key, event.speed):
        text.encode()
        assert text.isprintable()
        assert len(text) <= 200


def test_an_absurd_clock_is_cut_to_the_longest_there_is():
    state = read_game_event(json.dumps(STATE | {"wtime": 2147483647, "btime": -20, "winc": -1}))
    assert isinstance(state, GameState)
    assert state.clock_s("white") == 3 * 3600
    assert state.clock_s("black") == -0.02
    assert state.increment_s("white") == 0


def test_a_missing_opponent_is_noticed():
    event = read_game_event(line(type="opponentGone", gone=True, claimWinInSeconds=8))
    assert event == OpponentGone(gone=True, claim_win_in_seconds=8)


@pytest.mark.parametrize("kind", ["gameFinish", "weather", "tournamentReminder"])
def test_unknown_kinds_are_nothing(kind):
    assert read_account_event(line(type=kind, anything=[1, 2])) is None
    assert read_game_event(line(type=kind)) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "7",
        "null",
        '"gameStart"',
        "{}",
        '{"type": 3}',
        '{"type": "gameStart"}',
        '{"type": "gameStart", "game": {"id": "../../etc"}}',
        '{"type": "gameStart", "game": {"id": "a/b/c/d"}}',
        line(type="challenge", challenge=CHALLENGE | {"id": "x" * 50}),
        line(type="challenge", challenge=CHALLENGE | {"challenger": {"id": "a b", "name": "a b"}}),
        "[" * 100_000,
    ],
)
def test_lines_without_sense_are_malformed(text):
    with pytest.raises(MalformedLineError):
        read_account_event(text)


@pytest.mark.parametrize("missing", ["moves", "wtime", "btime", "status"])
def test_a_state_without_what_it_needs_is_malformed(missing):
    with pytest.raises(MalformedLineError, match=missing):
        read_game_event(json.dumps({key: value for key, value in STATE.items() if key != missing}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=40)
@given(st.dictionaries(st.sampled_from([*STATE, "game", "challenge", "id", "gone"]), json_values))
def test_no_line_is_too_odd(values):
    for kind in ("gameState", "gameFull", "chatLine", "opponentGone", "challenge", "gameStart"):
        for read in (read_account_event, read_game_event):
            with contextlib.suppress(MalformedLineError):
                read(json.dumps(values | {"type": kind}))


def test_a_profile_without_games_has_the_rating_of_beginners():
    account = read_object(line(id="a", username="A", perfs={"blitz": {"games": 3, "rating": 1700}}), Account)
    assert account.rating("blitz") == 1700
    assert account.rating("rapid") == 1500
