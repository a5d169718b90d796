"""Reading a GUI's lines and writing ours."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton import _core
from milton.errors import ArgumentError, IllegalMoveError, NotationError
from milton.games import Position
from milton.play import Clock, Engine, Limits
from milton.uci.commands import (
    GO_WORDS,
    LARGEST_NUMBER,
    MOST_COMPLAINTS,
    UNUSABLE_LIMIT_S,
    parse_go,
    parse_position,
    parse_setoption,
)
from milton.uci.options import find_option, options_for

START = Position.start("chess")


def limits(text: str, white_to_move: bool = True) -> Limits:
    return parse_go(text.split()).limits(white_to_move)


def test_each_side_reads_its_own_clock():
    line = "wtime 60000 btime 30000 winc 1000 binc 500 movestogo 20"
    assert limits(line, True).clock == Clock(60, 1, 20)
    assert limits(line, False).clock == Clock(30, 0.5, 20)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("infinite", Limits(infinite=True)),
        ("", Limits(infinite=True)),
        ("nodes 5", Limits(nodes=5)),
        ("movetime 250", Limits(movetime_s=0.25)),
        ("depth 7 nodes 9", Limits(depth=7, nodes=9)),
        ("mate 3", Limits(mate=3)),
        ("searchmoves e2e4 d2d4 nodes 10", Limits(nodes=10, searchmoves=("e2e4", "d2d4"))),
        ("nodes 10 searchmoves e2e4", Limits(nodes=10, searchmoves=("e2e4",))),
        ("wtime -50 btime 10", Limits(clock=Clock(-0.05))),
        ("searchmoves e2e4", Limits(infinite=True, searchmoves=("e2e4",))),
        ("wtime 99999999999999999999999 btime 1", Limits(clock=Clock(LARGEST_NUMBER / 1000))),
        ("nodes " + "9" * 5000, Limits(nodes=LARGEST_NUMBER)),
    ],
)
def test_limits_are_read(line, expected):
    assert limits(line) == expected


@pytest.mark.parametrize(
    "line", ["btime 1000", "nodes 0", "depth -1", "mate 0", "movetime x", "wtime", "winc 5"]
)
def test_a_limit_that_cannot_be_used_is_answered_and_not_searched_for_ever(line):
    assert limits(line) == Limits(movetime_s=UNUSABLE_LIMIT_S)


def test_a_line_of_a_million_words_is_read_at_once_and_complained_about_briefly():
    go = parse_go(["word"] * 500_000 + ["searchmoves"] + ["e2e4"] * 500_000 + ["nodes", "7"])
    assert len(go.complaints) == MOST_COMPLAINTS
    assert go.limits(True).nodes == 7


@pytest.mark.parametrize("line", ["nodes", "nodes x", "depth 1.5", "wtime ³", "movetime infinite", "foo 3"])
def test_nonsense_is_left_out_and_complained_about(line):
    assert parse_go(line.split()).complaints


@settings(deadline=None)  # busy machines
@given(st.lists(st.sampled_from([*GO_WORDS, "e2e4", "-1", "0", "7", "99999999999999999999", "ü"])))
def test_no_go_line_is_too_odd(words):
    go = parse_go(words)
    go.limits(True)
    go.limits(False)


def test_positions_are_read_with_their_moves():
    position = parse_position(["startpos", "moves", "e2e4", "e7e5", "g1f3"])
    assert position.fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    assert parse_position(f"fen {fen}".split()).fen == fen
    assert parse_position(f"fen {fen} moves a1a8".split()).outcome().reason == "checkmate"


@pytest.mark.parametrize("line", ["", "fen", "fen x", "start", "startpos e2e4", "moves e2e4"])
def test_positions_that_are_none_are_refused(line):
    with pytest.raises(NotationError):
        parse_position(line.split())


def test_an_illegal_move_in_a_position_is_refused():
    with pytest.raises(IllegalMoveError):
        parse_position(["startpos", "moves", "e2e4", "e2e4"])


def test_option_names_and_values_may_hold_spaces():
    assert parse_setoption(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert parse_setoption(["name", "WeightsFile", "value", "my", "nets/a", "b"]) == (
        "WeightsFile",
        "my nets/a b",
    )
    with pytest.raises(NotationError):
        parse_setoption(["value", "3"])


def test_options_check_their_values():
    options = options_for("")
    assert find_option(options, "threads").check("4") == "4"
    assert find_option(options, "PONDER").check("True") == "true"
    assert find_option(options, "WeightsFile").check("<empty>") == ""
    for name, value in [("Threads", "0"), ("Hash", "x"), ("MultiPV", "999"), ("Ponder", "maybe")]:
        with pytest.raises(ArgumentError, match=name):
            find_option(options, name).check(value)
    with pytest.raises(ArgumentError, match="Speed"):
        find_option(options, "Speed")


def test_every_number_of_alphabeta_is_an_option_when_tuning():
    names = {option.name for option in options_for("", tuning=True)} - {
        option.name for option in options_for("")
    }
    assert names == {name for name, *_ in _core.chess.AlphaBetaSearcher.parameters()}


def test_a_tuned_number_changes_the_search_and_outlives_a_new_table():
    with Engine.open(memory_mb=4) as engine:
        before = engine.choose(START, Limits(depth=5)).num_nodes
        engine.tune("lmr_base_pct", 150)
        engine.set_memory(8)
        after = engine.choose(START, Limits(depth=5)).num_nodes
        assert after != before
        with pytest.raises(ArgumentError, match="from -50 to 150"):
            engine.tune("lmr_base_pct", 151)
