"""Learning curves as self-contained SVG: Elo with its error band against time, positions or games.

Needs no library, no fonts and no script, follows the reader's light or dark setting, and is the same text for
the same numbers. Knows no runs and no ratings: whoever draws brings the points.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal
from xml.sax.saxutils import escape

from milton.errors import ArgumentError

from .drawing import NUM_COLOURS, STYLE, Scale, make_scale, number_text

XAxis = Literal["hours", "positions", "games"]
X_TITLES: dict[XAxis, str] = {
    "hours": "time since the start, hours",
    "positions": "self-play positions",
    "games": "self-play games",
}

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 24, 56, 62
_CLIP_TO_FRAME = (
    f'<clipPath id="frame"><rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH - _LEFT - _RIGHT}" '
    f'height="{_HEIGHT - _TOP - _BOTTOM}"/></clipPath>'
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One measured rating. An end of the interval may be infinite; the band then runs out of the picture."""

    x: float
    elo: float
    low: float  # 95 % interval
    high: float
    label: str = ""  # shown when the pointer rests on the point


@dataclass(frozen=True, slots=True)
class Curve:
    name: str
    points: tuple[CurvePoint, ...]  # in the order of x


def draw_curves(
    curves: Sequence[Curve],
    *,
    x_title: str,
    title: str,
    y_title: str = "Elo, with 95 % interval",
) -> str:
    """SVG text of one or a few curves. Say in `title` or `y_title` what Elo 0 is."""
    _check(curves)
    points = [point for curve in curves for point in curve.points]
    x_scale = make_scale([0.0, *(p.x for p in points)], _LEFT, _WIDTH - _RIGHT, snap=False)
    y_scale = make_scale(_visible_elos(points), _HEIGHT - _BOTTOM, _TOP, snap=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        _CLIP_TO_FRAME,
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *_draw_axes(x_scale, y_scale, x_title, y_title),
    ]
    for index, curve in enumerate(curves):
        parts += _draw_curve(curve, index % NUM_COLOURS, x_scale, y_scale)
    if len(curves) > 1:
        parts += _draw_legend([curve.name for curve in curves])
    return "\n".join([*parts, "</svg>", ""])


def _check(curves: Sequence[Curve]) -> None:
    if not any(curve.points for curve in curves):
        raise ArgumentError("a learning curve needs at least one point, got none")
    for curve in curves:
        for point in curve.points:
            if not (
                math.isfinite(point.x) and math.isfinite(point.elo) and point.low <= point.elo <= point.high
            ):
                raise ArgumentError(f"curve {curve.name!r}: not a rating with its interval: {point!r}")
        if any(a.x > b.x for a, b in pairwise(curve.points)):
            raise ArgumentError(f"curve {curve.name!r}: points must come in the order of x")


def _visible_elos(points: Sequence[CurvePoint]) -> list[float]:
    """Ratings and the ends of their intervals, cut so that one wild shut-out does not flatten the rest."""
    elos = [point.elo for point in points]
    reach = max(max(elos) - min(elos), 100.0) / 2
    ends = [end for point in points for end in (point.low, point.high) if math.isfinite(end)]
    return elos + [min(max(elos) + reach, max(min(elos) - reach, end)) for end in ends]


def _draw_axes(x_scale: Scale, y_scale: Scale, x_title: str, y_title: str) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = []
    for tick in y_scale.ticks():
        y = y_scale.place(tick)
        style = "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{style}" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number_text(tick)}</text>')
    for tick in x_scale.ticks():
        x = x_scale.place(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{number_text(tick)}</text>')
    middle_x, middle_y = (_LEFT + right) / 2, (_TOP + bottom) / 2
    for place, text in (
        (f"translate({middle_x:.1f} {_HEIGHT - 16})", x_title),
        (f"translate(20 {middle_y:.1f}) rotate(-90)", y_title),
    ):
        parts.append(f'<text class="axis" transform="{place}" text-anchor="middle">{escape(text)}</text>')
    return parts


def _draw_curve(curve: Curve, colour: int, x_scale: Scale, y_scale: Scale) -> list[str]:
    places = [(x_scale.place(p.x), p) for p in curve.points]
    upper = [f"{x:.1f},{y_scale.place(p.high):.1f}" for x, p in places]
    lower = [f"{x:.1f},{y_scale.place(p.low):.1f}" for x, p in reversed(places)]
    line = " ".join(f"{x:.1f},{y_scale.place(p.elo):.1f}" for x, p in places)
    parts = [
        '<g clip-path="url(#frame)">',
        f'<polygon class="band fill{colour}" points="{" ".join(upper + lower)}"/>',
        f'<polyline class="line line{colour}" points="{line}"/>',
        "</g>",
    ]
    for x, point in places:
        interval = f"{number_text(point.elo)} [{number_text(point.low)}, {number_text(point.high)}] Elo"
        note = " · ".join(part for part in (curve.name, point.label, interval) if part)
        parts.append(
            f'<circle class="fill{colour}" cx="{x:.1f}" cy="{y_scale.place(point.elo):.1f}" r="3.5">'
            f"<title>{escape(note)}</title></circle>"
        )
    return parts


def _draw_legend(names: Sequence[str]) -> list[str]:
    parts, x = [], float(_LEFT)
    for index, name in enumerate(names):
        colour = index % NUM_COLOURS
        parts.append(f'<rect class="fill{colour}" x="{x:.0f}" y="38" width="14" height="4" rx="2"/>')
        parts.append(f'<text x="{x + 20:.0f}" y="45">{escape(name)}</text>')
        x += 44 + 7.2 * len(name)  # about the width of the text: SVG cannot measure it
    return parts
