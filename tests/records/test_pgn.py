"""PGN in and out: everything kept on a round trip, everything else refused with where and what to change."""

import dataclasses
import io

import chess.pgn
import pytest

from milton.errors import RecordError
from milton.games import Position
from milton.records import Evaluation, GameRecord, Ply, parse_pgn, pgn_text, read_pgn

ANNOTATED = """[Event "Casual"]
[Site "https://example.org/1"]
[Date "2026.11.17"]
[Round "3.1"]
[White "A \\"quoted\\" name"]
[Black "C:\\\\games"]
[Result "1-0"]
[TimeControl "180+2"]

{ before the first move } 1. e4 { [%eval 0.30,12] [%clk 0:03:00] fine } 1... e5 $1
( { why not } 1... c5 { [%eval 0.4] } 2. Nf3 ( 2. c3 d5 ) 2... d6 ) ( 1... e6 ) 2. f4 { the
gambit [%cal Ge2e4] } exf4 $2 $14 3. Bc4 Qh4+ { [%eval #-4] } 1-0

[Event "another"]

1. d4 ; to the end of the line
d5 *
"""
LEGACY = """[Event "self-play"]
[White "iter_0003"]
[Black "iter_0003"]
[Result "0-1"]
[Termination "checkmate"]
[GameId "00000000000000ff"]

1. f3 {+0.10} 1... e5 {-0.25} 2. g4 {-0.50} 2... Qh4# {-1.00} 0-1

"""


def read(text: str) -> list[GameRecord]:
    return list(read_pgn(io.StringIO(text)))


def test_everything_survives_a_round_trip() -> None:
    first, second = read(ANNOTATED)
    assert read(pgn_text(first) + pgn_text(second)) == [first, second]
    assert first.players == ('A "quoted" name', "C:\\games")
    assert first.tags == {
        "Event": "Casual",
        "Site": "https://example.org/1",
        "Date": "2026.11.17",
        "Round": "3.1",
        "TimeControl": "180+2",
    }
    assert first.comment == "before the first move"
    assert first.plies[0] == Ply("e2e4", Evaluation(30, None, 12), 180.0, comment="fine")
    sicilian, french = first.plies[1].variations
    assert first.plies[1].nags == (1,)
    assert [ply.move for ply in sicilian] == ["c7c5", "g1f3", "d7d6"]
    assert sicilian[0].comment_before == "why not"
    assert sicilian[1].variations == ((Ply("c2c3"), Ply("d7d5")),)
    assert french == (Ply("e7e6"),)
    assert first.plies[2].comment == "the gambit [%cal Ge2e4]"
    assert first.plies[3].nags == (2, 14)
    assert first.plies[5].evaluation is not None
    assert (first.plies[5].evaluation.mate_in, first.plies[5].evaluation.value_first) == (-4, -1.0)
    assert (first.winner, second.winner) == (0, None)
    assert second.plies[0].comment == "to the end of the line"


def test_python_chess_reads_what_we_write() -> None:
    (record, _) = read(ANNOTATED)
    game = chess.pgn.read_game(io.StringIO(pgn_text(record)))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == list(record.moves)
    assert game.headers["Black"] == "C:\\\\games"


def test_a_game_of_chess960_names_its_variant_and_comes_back() -> None:
    start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    record = GameRecord.of_moves("chess", start, ["e1g1", "e8b8", "a2a3"])
    text = pgn_text(record)
    assert '[Variant "Chess960"]' in text
    assert "1. O-O O-O-O 2. a3" in text
    (game,) = read(text)
    assert (game.start, game.moves) == (record.start, record.moves)
    (by_x_fen,) = read(text.replace("GBgb", "KQkq"))
    assert by_x_fen.start == start


def test_games_of_earlier_versions_keep_their_values() -> None:
    (record,) = read(LEGACY)
    assert record.values_stm == pytest.approx((0.10, 0.25, -0.50, 1.0))
    assert (record.end_reason, record.winner, record.has_own_values) == ("checkmate", 1, True)
    assert {ply.comment for ply in record.plies} == {""}
    (again,) = read(pgn_text(record))
    assert again.values_stm == pytest.approx(record.values_stm, abs=0.002)


def test_values_of_a_search_stand_at_the_position_they_belong_to() -> None:
    start = Position.start("chess").play("e2e4").text
    record = GameRecord.of_moves("chess", start, ("e7e5", "g1f3"), values_stm=(-0.25, None), winner=-1)
    assert record.evaluation is not None
    assert record.evaluation.value_first == pytest.approx(0.25)
    assert record.plies[0].evaluation is None
    (again,) = read(pgn_text(record))
    assert (again.start, again.moves, again.result) == (start, record.moves, "1/2-1/2")
    assert again.values_stm == (pytest.approx(-0.25, abs=0.002), None)


def test_sloppy_notation_that_loses_nothing_is_read() -> None:
    (record,) = read("1.e4 e5 2 Nf3?! Nc6 3. Bb5 +/= a6 4. 0-0 a6xb5 5. Pa4 1/2")
    assert record.moves[6:8] == ("e1g1", "a6b5")
    assert (record.plies[2].nags, record.plies[4].nags, record.winner) == ((6,), (14,), -1)


def test_games_end_at_blank_lines_and_at_tags() -> None:
    text = '[Event "no moves"]\n\n[Event "b"]\n\n1. e4 *\n[Event "c"]\n1. d4 {a\n\n[b] } d5\n\n1. c4'
    found = read(text)
    assert [record.tags.get("Event") for record in found] == ["no moves", "b", "c", None]
    assert [len(record.plies) for record in found] == [0, 1, 2, 1]
    assert found[2].plies[0].comment == "a [b]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e5\n2. Ke2\nKe5", r"game 1, move 2\.\.\., line 3: illegal san: 'Ke5'.*; correct it"),
        ("1. e4 Ke5 ) d4", r"move 1\.\.\., line 1: '\)' without '\('"),
        ("1. e4 Ke5 2. d4 (2. c4) Nf6", r"move 1\.\.\., line 1: illegal san: 'Ke5'"),
        ("1. e4 ( )", "a variation without moves"),
        ("( 1. e4 )", "a variation begins before any move"),
        ("1. e4 (1. Ke5)", r"move 1, line 1: illegal san: 'Ke5'.* in a variation"),
        ("1. e4 hello e5", r"move 1\.\.\., line 1: expected a move, comment or result, got 'hello'"),
        ("1. e4\n1... e5\n2. Xf3", r"move 2, line 3: .*'Xf3'"),
        ("1. e4 { no end", r"game 1, line 1: a comment has no end"),
        ("1. e4 (1. d4", r"a variation has no end; close it"),
        ("1. e4 1-0 d5", r"'d5' follows the result '1-0'"),
        ("1. e4 (1. d4 *) e5", "a result within a variation"),
        ("1. --", "move 1, line 1"),
        ('[Result "1-0"]\n\n1. e4 0-1', r"tag Result says '1-0', the moves end with '0-1'"),
        ('[Result "yes"]\n\n1. e4', r"expected a result of .*'yes'"),
        (
            '[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0',
            r"move 2\.\.\., line 3: .*'1-0', but the last move is checkmate; write \[Result \"0-1\"\]",
        ),
        (
            '1. e4 *\n\n[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n[Result "1-0"]\n\n1. Kf7 1-0',
            r"game 2, move 1, line 6: .*stalemate",
        ),
        ('[FEN "nonsense"]\n\n1. e4', "the tag FEN: .*correct the FEN"),
        ('[Variant "Atomic"]\n\n1. e4', "variant 'Atomic'"),
        ("[Event nonsense]\n\n1. e4", r"line 1: expected a tag like"),
        ('[Event "a"]\n[Event "b"]\n\n1. e4', r"line 2: the tag 'Event' occurs twice"),
        ("1. e4 e5\n\n2. Nf3 Nc6", "a blank line ends a game: remove it if they belong to game 1"),
        ("1. e4 " + "(1. d4 " * 60, "nested more than 50 deep"),
        ("(" * 50_000, "before any move"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_a_remedy(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read(text)


def test_an_unreadable_game_does_not_hide_the_others() -> None:
    found = list(parse_pgn(io.StringIO("1. e4 Ke5 ) ) d4\n\n[Foo]\n\n1. e4\n\n1. d4 *\n"), "x.pgn"))
    assert [type(entry) for entry in found] == [RecordError, RecordError, GameRecord]
    assert str(found[0]).startswith("x.pgn, game 1, move 1...")
    assert str(found[1]).startswith("x.pgn, game 2, line 3")


def test_texts_cannot_break_out_of_tags_and_comments() -> None:
    record = GameRecord.of_moves("chess", None, ["e2e4"], players=('a"]\n[Result "1-0', "b"))
    record = dataclasses.replace(record, plies=(Ply("e2e4", comment="} 1... e5 { x"),))
    (again,) = read(pgn_text(record))
    assert again.winner is None
    assert again.players == ('a"] [Result "1-0', "b")
    assert again.moves == ("e2e4",)
    assert again.plies[0].comment == ") 1... e5 { x"
