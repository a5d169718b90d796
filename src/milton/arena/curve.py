"""Learning curves as self-contained SVG: Elo with its error band against hours, positions or games.

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

XAxis = Literal["hours", "positions", "games"]
_X_TITLES: dict[XAxis, str] = {
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
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class _Theme:
    ground: str
    ink: str
    faint: str
    grid: str
    curves: tuple[str, ...]

    def rules(self) -> str:
        """Plain rules instead of CSS variables: converters and document tools understand them."""
        curves = " ".join(
            f".line{i} {{ stroke: {colour} }} .fill{i} {{ fill: {colour} }}"
            for i, colour in enumerate(self.curves)
        )
        return (
            f".ground {{ fill: {self.ground} }} text {{ fill: {self.faint} }} "
            f".title, .axis {{ fill: {self.ink} }} .grid {{ stroke: {self.grid} }} "
            f".zero {{ stroke: {self.faint} }} {curves}"
        )


# Hues that the colour-blind tell apart too (Okabe and Ito), darkened or lightened for their ground.
_LIGHT = _Theme(
    "#ffffff", "#1f2328", "#59636e", "#d8dee4", ("#0072b2", "#d55e00", "#008060", "#a8558a", "#8a6d00")
)
_DARK = _Theme(
    "#0d1117", "#e6edf3", "#9198a1", "#2b323b", ("#56b4e9", "#ff9d5c", "#3fd0a4", "#e39cc6", "#f0e442")
)
_NUM_COLOURS = len(_LIGHT.curves)

_STYLE = f"""
text {{ font: 13px system-ui, sans-serif }}
.title {{ font-size: 16px; font-weight: 600 }}
.grid, .zero {{ stroke-width: 1 }}
.line {{ fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }}
.band {{ opacity: 0.2 }}
{_LIGHT.rules()}
@media (prefers-color-scheme: dark) {{ {_DARK.rules()} }}
"""


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


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to places: `start` at `low`, `end` at `high`."""

    low: float
    high: float
    step: float  # between ticks
    start: float
    end: float

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        # A band that leaves the picture is cut just outside, where the clip hides it.
        return self.start + min(1.5, max(-0.5, share)) * (self.end - self.start)

    def ticks(self) -> list[float]:
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [index * self.step for index in range(first, last + 1)]


def draw_curves(
    curves: Sequence[Curve], *, x_axis: XAxis, title: str, y_title: str = "Elo, with 95 % interval"
) -> str:
    """SVG text of one or a few curves. Say in `title` or `y_title` what Elo 0 is."""
    _check(curves)
    points = [point for curve in curves for point in curve.points]
    x_scale = _scale([0.0, *(p.x for p in points)], _LEFT, _WIDTH - _RIGHT, snap=False)
    y_scale = _scale(_visible_elos(points), _HEIGHT - _BOTTOM, _TOP, snap=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        _CLIP_TO_FRAME,
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *_draw_axes(x_scale, y_scale, _X_TITLES[x_axis], y_title),
    ]
    for index, curve in enumerate(curves):
        parts += _draw_curve(curve, index % _NUM_COLOURS, x_scale, y_scale)
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


def _scale(values: Sequence[float], start: float, end: float, snap: bool) -> _Scale:
    low, high = min(values), max(values)
    if high - low < 1e-9 * max(1.0, abs(high)):
        high = low + max(1.0, abs(low))
    step = _round_step((high - low) / (_MOST_TICKS - 1))
    if snap:
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return _Scale(low, high, step, start, end)


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 2.5, 5 × a power of ten that is not below `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(
        factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= rough * (1 - 1e-9)
    )


def _draw_axes(x_scale: _Scale, y_scale: _Scale, x_title: str, y_title: str) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = []
    for tick in y_scale.ticks():
        y = y_scale.place(tick)
        style = "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{style}" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(tick)}</text>')
    for tick in x_scale.ticks():
        x = x_scale.place(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{_number(tick)}</text>')
    middle_x, middle_y = (_LEFT + right) / 2, (_TOP + bottom) / 2
    for place, text in (
        (f"translate({middle_x:.1f} {_HEIGHT - 16})", x_title),
        (f"translate(20 {middle_y:.1f}) rotate(-90)", y_title),
    ):
        parts.append(f'<text class="axis" transform="{place}" text-anchor="middle">{escape(text)}</text>')
    return parts


def _draw_curve(curve: Curve, colour: int, x_scale: _Scale, y_scale: _Scale) -> list[str]:
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
        interval = f"{_number(point.elo)} [{_number(point.low)}, {_number(point.high)}] Elo"
        note = " · ".join(part for part in (curve.name, point.label, interval) if part)
        parts.append(
            f'<circle class="fill{colour}" cx="{x:.1f}" cy="{y_scale.place(point.elo):.1f}" r="3.5">'
            f"<title>{escape(note)}</title></circle>"
        )
    return parts


def _draw_legend(names: Sequence[str]) -> list[str]:
    parts, x = [], float(_LEFT)
    for index, name in enumerate(names):
        colour = index % _NUM_COLOURS
        parts.append(f'<rect class="fill{colour}" x="{x:.0f}" y="38" width="14" height="4" rx="2"/>')
        parts.append(f'<text x="{x + 20:.0f}" y="45">{escape(name)}</text>')
        x += 44 + 7.2 * len(name)  # about the width of the text: SVG cannot measure it
    return parts


def _number(value: float) -> str:
    """Short and for people: 250, 1.5, 2.5 M, −40."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if size >= unit:
            divisor = 1e3 if name == " k" else unit
            return f"{value / divisor:.4g}{name}".replace("-", "−")
    text = f"{value:.0f}" if size >= 100 else f"{value:.3g}"
    return "0" if text in ("-0", "0") else text.replace("-", "−")
