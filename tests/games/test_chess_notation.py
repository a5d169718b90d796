"""FENs that must be refused, each naming the field at fault and showing the value."""

import pytest

from milton.errors import NotationError
from milton.games import Position

GOOD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        # piece counts
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQKBNR w - - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "placement"),
        ("4k3/QQQQQQQQ/QQQQQQQQ/8/8/8/8/4K3 b - - 0 1", "placement"),
        # pawns on a back rank
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "placement"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "placement"),
        # shape of the placement
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "placement"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "placement"),
        # side to move
        (GOOD.replace(" w ", " x "), "side to move"),
        (GOOD.replace(" w ", " W "), "side to move"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "side to move"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "side to move"),
        # castling
        (GOOD.replace("KQkq", "KQkqK"), "castling"),
        (GOOD.replace("KQkq", "qkQK"), "castling"),
        (GOOD.replace("KQkq", "X"), "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling"),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", "castling"),
        # en passant
        (GOOD.replace(" - ", " e9 "), "en passant"),
        (GOOD.replace(" - ", " e3 "), "en passant"),
        (GOOD.replace(" - ", " e6 "), "en passant"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1", "en passant"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "en passant"),
        # counters
        (GOOD.replace(" 0 1", " -1 1"), "halfmove clock"),
        (GOOD.replace(" 0 1", " 256 1"), "halfmove clock"),
        (GOOD.replace(" 0 1", " a 1"), "halfmove clock"),
        (GOOD.replace(" 0 1", " +1 1"), "halfmove clock"),
        (GOOD.replace(" 0 1", " 0 0"), "fullmove number"),
        (GOOD.replace(" 0 1", " 0 10000"), "fullmove number"),
        (GOOD.replace(" 0 1", " 0 1.0"), "fullmove number"),
        (GOOD.replace(" 0 1", " 0 99999999999999999999"), "fullmove number"),
        # trailing junk, missing fields, odd bytes
        (GOOD + " junk", "count"),
        (GOOD + " ", "count"),
        (" " + GOOD, "count"),
        (GOOD.replace(" w ", "  w "), "count"),
        (GOOD.replace(" 0 1", " 0"), "count"),
        ("", "count"),
        (GOOD + "\n", "fullmove number"),
        (GOOD + "\0", "fullmove number"),
        ("\0" + GOOD, "placement"),
        (GOOD.replace("/8/8/", "/8\0/8/", 1), "placement"),
        (GOOD.replace("KQkq", "KQkq\u00e9"), "castling"),
        (GOOD.replace("8", "\uff18", 1), "placement"),
        ("♜" + GOOD[1:], "placement"),
        (GOOD * 3, "length"),
        ("8" * 10_000_000, "length"),
    ],
)
def test_impossible_fens_are_refused_by_field(text: str, field: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text)
    message = str(caught.value)
    assert message.startswith(f"FEN field {field}: ")
    assert len(message) < 400
    assert message.isascii()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (GOOD.replace(" w ", " x "), "'x'"),
        (GOOD.replace(" 0 1", " -1 1"), "'-1'"),
        (GOOD.replace(" 0 1", " 0 0"), "'0'"),
        (GOOD.replace("KQkq", "qkQK"), "'qkQK'"),
        (GOOD.replace(" - ", " e9 "), "'e9'"),
        (GOOD.replace(" - ", " e3 "), "rank 6, got 'e3'"),
        (GOOD.replace(" - ", " e6 "), "'e6'"),
        (GOOD.replace("/8/8/", "/8/9/", 1), "'9'"),
        (GOOD + " junk", "junk'"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K'"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "got 'w', but the king of black"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "white has a pawn on a8"),
        ("rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQKBNR w - - 0 1", "white has 2 kings"),
        ("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "white has 9 pawns"),
        ("rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1 promoted pieces and 8 pawns"),
    ],
)
def test_the_message_shows_the_value(text: str, value: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text)
    assert value in str(caught.value)


def test_the_counters_may_be_left_out() -> None:
    assert Position.from_fen(GOOD[: -len(" 0 1")]).fen == GOOD


def test_extreme_counters_survive() -> None:
    text = "4k3/8/8/8/8/8/8/R3K3 b - - 255 9999"
    position = Position.from_fen(text)
    assert position.fen == text
    # Neither counter runs over.
    assert position.play("e8d8").fen.endswith(" w - - 255 9999")
