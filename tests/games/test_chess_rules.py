"""The rules of chess, ending by ending and move by move."""

import pytest

from milton.errors import ArgumentError, IllegalMoveError
from milton.games import Outcome, Position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def fen(text: str) -> Position:
    return Position.from_fen(text)


def test_start_position() -> None:
    start = Position.start("chess")
    assert start.fen == START
    assert len(start.legal_moves()) == 20
    assert not start.in_check


# Endings


def test_checkmate_is_won_by_the_side_that_gave_it() -> None:
    mate = Position.start("chess").play_all(["f2f3", "e7e5", "g2g4", "d8h4"])
    assert mate.in_check
    assert mate.outcome() == Outcome("checkmate", "second")
    mate = Position.start("chess").play_all(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"])
    assert mate.outcome() == Outcome("checkmate", "first")


def test_stalemate_is_a_draw() -> None:
    assert fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome() == Outcome("stalemate", None)


@pytest.mark.parametrize(
    "placement",
    ["8/8/4k3/8/8/3K4/8/8", "8/8/4k3/8/8/3KN3/8/8", "8/8/4k3/8/8/3KB3/8/8", "8/8/4kb2/8/8/3KB3/8/8"],
)
def test_bare_kings_one_minor_or_bishops_of_one_colour_are_drawn(placement: str) -> None:
    assert fen(f"{placement} w - - 0 1").outcome() == Outcome("insufficient_material", None)


@pytest.mark.parametrize(
    "placement",
    [
        "8/8/4k3/8/8/3KNN2/8/8",
        "8/8/4kb2/8/8/3KN3/8/8",
        "8/8/4kn2/8/8/3KN3/8/8",
        "8/8/4k1b1/8/8/3KB3/8/8",
        "8/8/4k3/8/8/3KP3/8/8",
        "8/8/4k3/8/8/2KR4/8/8",
    ],
)
def test_material_that_could_still_mate_goes_on(placement: str) -> None:
    assert fen(f"{placement} w - - 0 1").outcome() is None


def test_fifty_moves_must_be_claimed_and_seventy_five_end_the_game() -> None:
    rooks = "4k3/8/8/8/8/8/8/R3K3 {} - - {} 80"
    assert fen(rooks.format("w", 99)).outcome(claim_draws=True) is None
    reached = fen(rooks.format("w", 99)).play("a1a2")
    assert reached.outcome() is None
    assert reached.outcome(claim_draws=True) == Outcome("fifty_moves", None)
    assert fen(rooks.format("w", 149)).outcome() is None
    assert fen(rooks.format("w", 149)).play("a1a2").outcome() == Outcome("seventyfive_moves", None)


def test_mate_counts_before_seventy_five_moves() -> None:
    mate = fen("7k/8/6K1/8/8/8/8/R7 w - - 149 100").play("a1a8")
    assert mate.outcome() == Outcome("checkmate", "first")


def test_captures_and_pawn_moves_reset_the_clock() -> None:
    position = fen("4k3/p7/8/8/8/8/R7/4K3 w - - 99 80")
    assert position.play("a2a7").fen.split()[4] == "0"
    assert position.play("a2a3").play("a7a6").fen.split()[4] == "0"
    assert position.play("a2a3").fen.split()[4] == "100"


SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]


def test_threefold_must_be_claimed_and_fivefold_ends_the_game() -> None:
    position = Position.start("chess")
    for times_before in range(1, 5):
        assert position.outcome() is None
        position = position.play_all(SHUFFLE)
        assert position.repetitions == times_before
        claimed = position.outcome(claim_draws=True)
        assert (claimed is not None) == (times_before >= 2)
        if claimed is not None and times_before < 4:
            assert claimed == Outcome("threefold_repetition", None)
    assert position.outcome() == Outcome("fivefold_repetition", None)


def test_ends_that_come_by_themselves_go_before_claims() -> None:
    rooks = fen("4k3/8/8/8/8/8/8/R3K3 w - - 90 80")
    tour = ["a1a2", "e8d8", "a2a1", "d8e8"]
    assert rooks.play_all(tour * 3).outcome(claim_draws=True) == Outcome("fifty_moves", None)
    fivefold = rooks.play_all(tour * 4)
    assert fivefold.outcome() == Outcome("fivefold_repetition", None)
    assert fivefold.outcome(claim_draws=True) == Outcome("fivefold_repetition", None)
    assert fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").play("a1a8").outcome(claim_draws=True) == Outcome(
        "checkmate", "first"
    )


def test_a_position_with_other_castling_rights_is_not_a_repetition() -> None:
    # The rook's first trip loses the right, so the position before it never comes back.
    position = fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").play_all(["h1g1", "e8d8", "g1h1", "d8e8"])
    assert position.repetitions == 0
    assert position.play_all(["h1g1", "e8d8", "g1h1", "d8e8"]).repetitions == 1


def test_a_position_with_an_en_passant_capture_is_not_a_repetition() -> None:
    capturable = fen("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1").play("a2a4")
    assert capturable.play_all(["e8d8", "e1d1", "d8e8", "d1e1"]).repetitions == 0
    harmless = fen("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1").play("a2a4")
    assert harmless.play_all(["e8d8", "e1d1", "d8e8", "d1e1"]).repetitions == 1


def test_a_packed_position_can_still_be_claimed() -> None:
    position = Position.start("chess").play_all(SHUFFLE * 2)
    again = Position.unpack("chess", position.pack())
    assert again.repetitions == 2
    assert again.outcome(claim_draws=True) == Outcome("threefold_repetition", None)
    assert again.play("e2e4").repetitions == 0


# Castling

ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R {} KQkq - 0 1"


@pytest.mark.parametrize(
    ("side", "spellings", "after"),
    [
        ("w", ["e1g1", "e1h1", "O-O", "0-0"], "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        ("w", ["e1c1", "e1a1", "O-O-O", "0-0-0"], "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
        ("b", ["e8g8", "e8h8", "O-O"], "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 1 2"),
        ("b", ["e8c8", "e8a8", "O-O-O"], "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 1 2"),
    ],
)
def test_castling_in_every_spelling(side: str, spellings: list[str], after: str) -> None:
    position = fen(ROOKS.format(side))
    for spelling in spellings:
        assert position.parse(spelling) == spellings[0]
        assert position.play(spelling).fen == after
    assert spellings[0] in position.legal_moves()


@pytest.mark.parametrize(
    ("placement", "illegal", "legal"),
    [
        ("4k3/8/8/8/8/8/8/RN2K1NR", {"e1g1", "e1c1"}, set()),  # pieces between
        ("4kr2/8/8/8/8/8/8/R3K2R", {"e1g1"}, {"e1c1"}),  # over an attacked square
        ("4k1r1/8/8/8/8/8/8/R3K2R", {"e1g1"}, {"e1c1"}),  # onto an attacked square
        ("4r1k1/8/8/8/8/8/8/R3K2R", {"e1g1", "e1c1"}, set()),  # out of check
        ("1r2k3/8/8/8/8/8/8/R3K2R", set(), {"e1g1", "e1c1"}),  # only the rook's way is attacked
        ("r3k3/8/8/8/8/8/8/R3K2R", set(), {"e1g1", "e1c1"}),  # only the rook is attacked
    ],
)
def test_when_castling_is_allowed(placement: str, illegal: set[str], legal: set[str]) -> None:
    moves = set(fen(f"{placement} w KQ - 0 1").legal_moves())
    assert legal <= moves
    assert not illegal & moves


def test_castling_rights_go_with_king_rook_and_captured_rook() -> None:
    assert fen(ROOKS.format("w")).play("e1e2").fen.split()[2] == "kq"
    assert fen(ROOKS.format("w")).play("h1h2").fen.split()[2] == "Qkq"
    assert fen(ROOKS.format("w")).play("a1a8").fen.split()[2] == "Kk"


# En passant


def test_en_passant_is_written_only_if_a_capture_is_legal() -> None:
    assert Position.start("chess").play("e2e4").fen.split()[3] == "-"
    position = Position.start("chess").play_all(["e2e4", "a7a6", "e4e5", "d7d5"])
    assert position.fen.split()[3] == "d6"
    taken = position.play("e5d6")
    assert taken.fen == "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"
    assert position.parse("exd6") == "e5d6"
    assert "e5d6" not in position.play_all(["a2a3", "a6a5"]).legal_moves(), "only at once"


def test_both_forms_of_the_en_passant_field_are_read() -> None:
    with_square = fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    without = fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert with_square == without == Position.start("chess").play("e2e4")


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # both pawns leave the king's rank
        "4k3/8/8/3pP3/8/8/8/b3K3 w - - 0 1",  # no double step came before
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # the pawn is pinned on its file
        "6k1/8/8/1b1pP3/8/3K4/8/8 w - d6 0 1",  # another check remains
    ],
)
def test_en_passant_that_exposes_the_king_is_illegal(text: str) -> None:
    position = fen(text)
    assert "e5d6" not in position.legal_moves()
    assert position.fen.split()[3] == "-"


def test_en_passant_may_capture_the_checking_pawn() -> None:
    position = fen("8/8/8/2k5/3p4/8/2P1K3/8 w - - 0 1").play("c2c4")
    # The pawn on c4 gives no check; a pawn on e4 against a king on d5 would.
    assert position.fen.split()[3] == "c3"
    checked = fen("8/8/8/8/2pk4/8/1P2K3/8 w - - 0 1").play("b2b4")
    assert "c4b3" in checked.legal_moves()
    forced = fen("8/8/8/1k6/3p4/8/2P1K3/8 w - - 0 1").play("c2c4")
    assert forced.in_check
    assert "d4c3" in forced.legal_moves()


# Promotions, pins, checks


def test_a_pawn_promotes_to_four_pieces_and_never_stays_a_pawn() -> None:
    position = fen("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    pawn_moves = {move for move in position.legal_moves() if move.startswith("a7")}
    assert pawn_moves == {f"a7{to}{piece}" for to in ("a8", "b8") for piece in "nbrq"}
    assert position.play("axb8=N").fen == "1N5k/8/8/8/8/8/8/K7 b - - 0 1"
    for move in ("a7a8", "a7a8k", "a7a8p", "a8"):
        with pytest.raises(IllegalMoveError):
            position.play(move)


def test_pinned_pieces_stay_on_their_line() -> None:
    position = fen("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1")
    assert {move for move in position.legal_moves() if move.startswith("e2")} == {
        "e2e3", "e2e4", "e2e5", "e2e6", "e2e7", "e2e8",
    }  # fmt: skip
    assert not [m for m in fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1").legal_moves() if m.startswith("e2")]


def test_double_check_leaves_only_the_king() -> None:
    position = fen("4r1k1/8/8/8/7b/8/8/R3K2R w KQ - 0 1")
    assert position.in_check
    assert all(move.startswith("e1") for move in position.legal_moves())


# Moves that are not


@pytest.mark.parametrize(
    "move",
    ["e2e5", "e7e5", "e1e2", "e1g1", "a1a1", "e2e4q", "e2 e4", "E2E4", "e2e4 ", "e2", "Nf6", "Ke2", "O-O",
     "--", "0000", "e2e4e5", "i2i4", "e0e1", "null",
     # nearly SAN
     "e+4", "+", "#", "e4+++", "e4!!!", "!e4", "e4=", "e4=Q", "Nf3=Q", "N", "Nx", "Nxf3", "exd", "exd3",
     "xe4", "ed", "nf3", "N1gf3", "Nb1f3", "Pe4", "e2-e4", "O-O-O", "O-O-O-O", "0-0-0-0", "o-o", "e4 e5",
     "e4\0"],
)  # fmt: skip
def test_illegal_moves_are_refused_with_move_and_position(move: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Position.start("chess").play(move)
    assert repr(move) in str(caught.value)


@pytest.mark.parametrize("move", ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Nf3+", "Nf3++", "Nf3#", "Nf3!?", "Nf3+!!"])
def test_san_may_say_more_than_it_must(move: str) -> None:
    assert Position.start("chess").parse(move) == "g1f3"


@pytest.mark.parametrize("move", ["exd8=Q+", "exd8Q", "ed8=Q", "ed8Q", "e7xd8=Q", "e7d8q"])
def test_the_signs_of_captures_and_promotions_may_be_left_out(move: str) -> None:
    assert fen("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1").parse(move) == "e7d8q"


def test_a_capture_by_a_pawn_names_its_file() -> None:
    position = fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    assert position.parse("exd5") == "e4d5"
    for move in ("d5", "xd5", "4d5", "4xd5", "exd", "exd4", "exd5=Q"):
        with pytest.raises(IllegalMoveError):
            position.parse(move)


def test_an_ambiguous_move_is_refused() -> None:
    position = fen("4k3/8/8/8/8/8/8/R3K2R w - - 0 1").play("e1e2").play("e8e7")
    with pytest.raises(IllegalMoveError, match="ambiguous"):
        position.play("Rd1")
    assert position.parse("Rad1") == "a1d1"


def test_chess_only_members_say_so() -> None:
    start = Position.start("santorini")
    for use in (lambda: start.fen, lambda: start.san("a1"), lambda: start.in_check):
        with pytest.raises(ArgumentError, match="chess only"):
            use()


def test_a_notebook_draws_chess_and_prints_the_others() -> None:
    drawn = Position.start("chess")._repr_svg_()
    assert drawn is not None
    assert drawn.startswith("<svg")
    assert Position.start("santorini")._repr_svg_() is None
    assert "R N B Q K B N R" in str(Position.start("chess"))
