"""Whatever a text holds: a record that reads back equal, or a RecordError. Nothing else, and nothing lost."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton.errors import RecordError
from milton.games import Position
from milton.records import Evaluation, GameRecord, Line, Ply, parse_pgn, pgn_text, read_pgn
from milton.records.json_lines import read_json_lines

WORDS = st.sampled_from(
    [
        *(
            "e4",
            "e5",
            "Nf3",
            "Nc6",
            "Bb5",
            "O-O",
            "a6",
            "Qxf7#",
            "e8=Q",
            "--",
            "0000",
            "Z0",
            "x",
            "é",
            "\x00",
        ),
        *("1.", "2...", "12", "…", "(", ")", "{", "}", "{x}", ";y\n", "%z\n", "\n", "\n\n", "\r", "\ufeff"),
        *("$1", "$999", "!", "??", "?!?", "=", "+-", "e.p.", "1-0", "0-1", "*", "1/2-1/2"),
        *("[Event", '"]', '[Result "1-0"]\n', '[FEN ""]\n', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n'),
        *('[Variant "x"]\n', "[%eval 0.3]", "{[%eval #0]}", "{[%clk 0:0:1]}"),
    ]
)
TEXT = st.text(st.characters(blacklist_categories=("Cs",)), max_size=40)


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=200))
def test_any_text_gives_games_or_errors_that_say_where(text: str) -> None:
    for found in parse_pgn(io.StringIO(text)):
        if isinstance(found, RecordError):
            assert str(found).startswith("game ")
        else:
            assert list(read_pgn(io.StringIO(pgn_text(found)))) == [found]


@st.composite
def lines(draw: st.DrawFn, position: Position, depth: int) -> Line:
    plies: list[Ply] = []
    for _ in range(draw(st.integers(0, 6))):
        moves = position.legal_moves()
        if not moves:
            break
        move, *others = draw(st.permutations(moves))
        variations = tuple(
            (Ply(other, comment_before=draw(COMMENTS)), *draw(lines(position.play(other), depth + 1)))
            for other in others[: draw(st.integers(0, 2 if depth < 2 else 0))]
        )
        plies.append(
            Ply(
                move=move,
                evaluation=draw(EVALUATIONS),
                clock_s=draw(st.none() | st.integers(0, 10_000).map(float)),
                nags=tuple(sorted(draw(st.sets(st.integers(1, 255), max_size=3)))),
                comment=draw(COMMENTS),
                variations=variations,
            )
        )
        position = position.play(move)
    return tuple(plies)


COMMENTS = st.just("") | st.sampled_from(["a", "good move", "(x) ; y", "1-0", "[%csl Ra1]", 'quo"te', "%"])
EVALUATIONS = st.none() | st.builds(
    Evaluation, st.integers(-9_000, 9_000).map(float), depth=st.none() | st.just(12)
)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_any_record_reads_back_equal(data: st.DataObject) -> None:
    plies = data.draw(lines(Position.start("chess"), 0))
    position = Position.start("chess").play_all(ply.move for ply in plies)
    outcome = position.outcome()
    record = GameRecord(
        game="chess",
        start=Position.start("chess").text,
        plies=plies,
        winner=data.draw(st.sampled_from([0, 1, -1])) if outcome is None else None,
        players=(data.draw(TEXT), "b"),
        tags={"Event": data.draw(TEXT), "ECO": data.draw(TEXT)},
        evaluation=data.draw(EVALUATIONS),
        comment=data.draw(COMMENTS),
    )
    if outcome is not None:
        return
    (found,) = read_pgn(io.StringIO(pgn_text(record)))
    assert (found.plies, found.winner, found.evaluation, found.comment) == (
        record.plies,
        record.winner,
        record.evaluation,
        record.comment,
    )


@pytest.mark.parametrize("size", [50_000])
@pytest.mark.parametrize(
    "word", ["(", ")", "{", "}", "[", "1.", "e4 ", "$1 ", '[A "b"]\n', ";", "\n", "%", '"', "1. e4 ("]
)
def test_much_of_one_thing_costs_no_minutes(word: str, size: int) -> None:
    """A quadratic reader would not come back."""
    found = list(parse_pgn(io.StringIO(word * (size // len(word)))))
    assert len(found) <= size


@pytest.mark.parametrize(
    "text",
    [
        "Nf3 Nf6 Ng1 Ng8 " * 1000 + "e4 " + "(d4) " * 3000,
        "1. e4 (1. d4 " + "Nf6 {[%eval #0]} Nf3 {[%eval 0.1]} Ng8 Ng1 " * 2500 + ")",
        "1. e4 " + "{x} " * 200_000,
    ],
    ids=["variations of a long game", "a long variation with evaluations", "comments"],
)
def test_long_games_with_much_beside_the_moves_cost_no_minutes(text: str) -> None:
    """What is done for a variation, an evaluation or a comment must not grow with the game."""
    (found,) = parse_pgn(io.StringIO(text))
    assert isinstance(found, GameRecord), found


@pytest.mark.parametrize("length", [400, 5000])
@pytest.mark.parametrize(
    "note", ["[%eval #{}]", "[%eval #-{}]", "[%eval 1.0,{}]", "[%clk {}:00:00]", "[%clk 0:{}:00]"]
)
@pytest.mark.parametrize("comment", ["{{{}}}", ";{}\n"])
def test_a_number_without_end_in_a_comment_is_refused(length: int, note: str, comment: str) -> None:
    (found,) = parse_pgn(io.StringIO("1. e4 " + comment.format(note.format("9" * length)) + " *"))
    assert "a number in a comment has more than" in str(found)


def test_a_clock_of_many_decimals_is_read() -> None:
    (game,) = read_pgn(io.StringIO("1. e4 {[%clk 0:00:01.33333333333333333333]} *"))
    assert game.plies[0].clock_s == pytest.approx(4 / 3)


def test_a_game_longer_than_any_game_is_refused_before_it_is_played() -> None:
    """To and fro without end: each position knows all before it, so the cost grows with the square."""
    (found,) = parse_pgn(io.StringIO("Nf3 Nf6 Ng1 Ng8 " * 100_000))
    assert "more than 12,000 half-moves" in str(found)
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 100_000
    with pytest.raises(RecordError, match="at most 12,000 half-moves"):
        list(read_json_lines([json.dumps({"game": "chess", "moves": moves, "winner": None})]))


@pytest.mark.parametrize("half", ["\\ud800", "\\uDFFF"])
@pytest.mark.parametrize("field", ["players", "moves"])
def test_half_a_character_is_refused_before_a_file_would_have_to_hold_it(half, field):
    line = f'{{"game": "connect_four", "{field}": ["{half}", "b"]}}'
    with pytest.raises(RecordError, match="line 1"):
        list(read_json_lines([line]))


def test_a_whole_character_in_two_halves_is_read():
    line = '{"game": "connect_four", "moves": [], "players": ["\\ud83d\\ude00", "b"]}'
    assert next(read_json_lines([line])).players == ("😀", "b")


EVIL = "a\x1b]0;owned\x07\u202e"
SHOWN = "a?]0;owned??"


def test_nothing_that_a_terminal_would_obey_is_read_from_pgn():
    text = (
        f'[Event "{EVIL}"]\n[White "{EVIL}"]\n[Termination "{EVIL}"]\n\n'
        f"{{{EVIL}}} 1. e4 {{{EVIL}}} ({{{EVIL}}} 1. d4) *"
    )
    (found,) = parse_pgn(io.StringIO(text))
    assert isinstance(found, GameRecord)
    assert (found.players[0], found.tags["Event"], found.end_reason) == (SHOWN, SHOWN, SHOWN)
    (ply,) = found.plies
    assert (found.comment, ply.comment, ply.variations[0][0].comment_before) == (SHOWN, SHOWN, SHOWN)


@pytest.mark.parametrize(
    "tags",
    [
        {"A b": "x"},
        {"": "x"},
        {"a]": "x"},
        {"Event\x00": "x"},
        {"FEN": "zzz"},
        {"Result": "1-0"},
        {"Variant": "Atomic"},
    ],
)
def test_tags_that_no_pgn_could_hold_are_refused_in_json_lines(tags):
    fields = {"game": "chess", "start": None, "moves": ["e2e4"], "winner": None, "tags": tags}
    with pytest.raises(RecordError, match="tag"):
        list(read_json_lines([json.dumps(fields)]))


def test_nothing_that_a_terminal_would_obey_is_read_from_json_lines():
    fields = {"game": "connect_four", "moves": [], "players": [EVIL, "b\nc"], "tags": {"Site": EVIL}}
    (found,) = read_json_lines([json.dumps(fields | {"end_reason": EVIL})])
    assert (found.players, found.tags, found.end_reason) == ((SHOWN, "b c"), {"Site": SHOWN}, SHOWN)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-1e999", "5", "-1.01", '"0.5"', "true"])
def test_a_value_that_no_search_gives_is_refused(value):
    line = f'{{"game": "chess", "moves": ["e2e4"], "values_stm": [{value}], "winner": null}}'
    with pytest.raises(RecordError, match="line 1"):
        list(read_json_lines([line]))
