"""Centipawns, win/draw/loss and mate distances."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton.games import Position
from milton.play import Engine, Limits, Score, Wdl, centipawns, value_of
from milton.play.score import MAX_CENTIPAWNS, score_of, value_of_centipawns, wdl_of

values = st.floats(-1, 1)


@settings(deadline=None)  # busy machines
@given(values, values)
def test_more_value_never_means_fewer_centipawns(a, b):
    low, high = sorted((a, b))
    assert centipawns(low) <= centipawns(high)


@settings(deadline=None)  # busy machines
@given(values)
def test_both_sides_see_the_same_score_with_the_other_sign(value):
    assert centipawns(value) == -centipawns(-value)


@settings(deadline=None)  # busy machines
@given(st.floats(-0.999, 0.999))
def test_centipawns_lead_back_to_the_value(value):
    assert value_of_centipawns(centipawns(value)) == pytest.approx(value, abs=0.002)


def test_other_engines_pawns_are_read_as_elo():
    assert (value_of(100) + 1) / 2 == pytest.approx(0.640, abs=0.001)


def test_a_pawn_is_an_expected_score_of_59_percent():
    assert (value_of_centipawns(100) + 1) / 2 == pytest.approx(0.588, abs=0.001)
    assert centipawns(0) == 0
    assert centipawns(1.0) == MAX_CENTIPAWNS


def test_a_missing_pawn_reads_about_one_pawn():
    """The shipped champion at the start, without each of Black's pawns in turn."""
    engine, limits = Engine.open(), Limits(nodes=1_000, fresh=True)
    start = Position.start("chess")
    ranks = ["1ppppppp", *(f"{'p' * file}1{'p' * (7 - file)}" for file in range(1, 7)), "ppppppp1"]
    poorer = [Position.from_fen(start.fen.replace("pppppppp", rank)) for rank in ranks]
    gains = [centipawns(engine.choose(position, limits).value) for position in poorer]
    mean_gain = sum(gains) / len(gains) - centipawns(engine.choose(start, limits).value)
    assert 50 < mean_gain < 200


@settings(deadline=None)  # busy machines
@given(st.floats(-1.001, 1.001), st.floats(-0.001, 1.001))
def test_win_draw_and_loss_are_probabilities_whatever_rounding_did(value, draw):
    wdl = wdl_of(value, draw)
    assert min(wdl.win, wdl.draw, wdl.loss) >= 0
    assert wdl.win + wdl.draw + wdl.loss == pytest.approx(1)
    assert sum(wdl.per_mille()) == 1000
    assert min(wdl.per_mille()) >= 0


def test_win_draw_and_loss_give_the_value_back():
    assert wdl_of(0.3, 0.4) == Wdl(pytest.approx(0.45), pytest.approx(0.4), pytest.approx(0.15))


@pytest.mark.parametrize(
    ("proof", "plies", "mate_in"),
    [("win", 1, 1), ("win", 3, 2), ("win", 5, 3), ("loss", 2, -1), ("loss", 4, -2), ("draw", 4, None)],
)
def test_mates_are_counted_in_moves(proof, plies, mate_in):
    assert score_of(0.5, proof, plies).mate_in == mate_in


def test_a_proven_draw_is_level_whatever_the_mean():
    assert score_of(0.5, "draw", 4) == Score(0)
