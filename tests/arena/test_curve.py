"""Learning curves: well-formed, complete, stable, and honest about what leaves the picture."""

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from milton.arena.curve import X_TITLES, Curve, CurvePoint, draw_curves
from milton.errors import ArgumentError

SVG = "{http://www.w3.org/2000/svg}"

finite = st.floats(-1e6, 1e6)
margin = st.one_of(st.floats(0, 1e4), st.just(math.inf))


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    xs = sorted(draw(st.lists(st.floats(0, 1e10), min_size=1, max_size=12)))
    points = []
    for x in xs:
        elo = draw(finite)
        points.append(CurvePoint(x, elo, elo - draw(margin), elo + draw(margin), draw(st.text("a<&>\"'é"))))
    return Curve(draw(st.text("ab<&>\"'")), tuple(points))


@given(st.lists(curves(), min_size=1, max_size=7), st.sampled_from(sorted(X_TITLES.values())))
def test_any_ratings_give_a_well_formed_picture(drawn: list[Curve], x_title: str) -> None:
    text = draw_curves(drawn, x_title=x_title, title="Elo < & >")
    root = ET.fromstring(text)
    assert len(root.findall(f".//{SVG}circle")) == sum(len(curve.points) for curve in drawn)
    assert len(root.findall(f".//{SVG}polyline")) == len(drawn)
    assert "nan" not in text
    assert "inf" not in text
    for circle in root.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx", "-1")) <= 760
        assert 0 <= float(circle.get("cy", "-1")) <= 440


def climb() -> Curve:
    return Curve(
        "cpu", tuple(CurvePoint(h / 4, 200 * h**0.5, 200 * h**0.5 - 30, 200 * h**0.5 + 30) for h in range(9))
    )


def test_axes_carry_units_and_round_numbers() -> None:
    root = ET.fromstring(draw_curves([climb()], x_title=X_TITLES["hours"], title="Chess"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "time since the start, hours" in texts
    assert "Elo, with 95 % interval" in texts
    assert {"0", "0.5", "1", "200", "400"} <= set(texts)


def test_higher_elo_is_higher_in_the_picture_and_later_is_further_right() -> None:
    root = ET.fromstring(draw_curves([climb()], x_title=X_TITLES["hours"], title="Chess"))
    circles = [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in root.iter(f"{SVG}circle")]
    assert circles == sorted(circles)
    assert [y for _, y in circles] == sorted((y for _, y in circles), reverse=True)


def test_one_unbounded_interval_does_not_flatten_the_rest() -> None:
    wild = Curve("", (*climb().points, CurvePoint(2.5, 650.0, 500.0, math.inf)))
    root = ET.fromstring(draw_curves([wild], x_title=X_TITLES["hours"], title="Chess"))
    heights = [float(c.get("cy", "")) for c in root.iter(f"{SVG}circle")]
    assert max(heights) - min(heights) > 100


def test_the_picture_stands_alone_and_follows_the_reader() -> None:
    text = draw_curves([climb(), climb()], x_title=X_TITLES["games"], title="Chess")
    assert text == draw_curves([climb(), climb()], x_title=X_TITLES["games"], title="Chess")
    assert "prefers-color-scheme: dark" in text
    assert "<script" not in text
    assert "href" not in text


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ((), "at least one point"),
        ((CurvePoint(0, math.nan, 0, 0),), "nan"),
        ((CurvePoint(0, 5, 6, 7),), "not a rating with its interval"),
        ((CurvePoint(1, 0, 0, 0), CurvePoint(0, 0, 0, 0)), "order of x"),
    ],
)
def test_points_that_cannot_be_drawn_are_refused(points: tuple[CurvePoint, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        draw_curves([Curve("bad", points)], x_title=X_TITLES["hours"], title="Chess")
