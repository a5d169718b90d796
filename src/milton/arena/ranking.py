"""A rating table as a picture: one row a player, best first, a point with its interval. Rates no one."""

import math
from collections.abc import Collection
from xml.sax.saxutils import escape

from milton.errors import ArgumentError

from .drawing import STYLE, Scale, make_scale, number_text
from .ratings import Rating, RatingTable

_WIDTH, _ROW = 760, 28
_RIGHT, _TOP, _BOTTOM = 90, 48, 56
_LETTER = 7.2  # about the width of one: SVG cannot measure text


def draw_ranking(table: RatingTable, *, title: str, x_title: str, marked: Collection[str] = ()) -> str:
    """SVG text; `marked` players have the second colour."""
    if not table.ratings:
        raise ArgumentError("a ranking needs players, got none")
    height = _TOP + _ROW * len(table.ratings) + _BOTTOM
    ends = [end for rating in table.ratings for end in (rating.low, rating.high)]
    left = 28 + _LETTER * max(len(rating.player) for rating in table.ratings)
    scale = make_scale(ends, left, _WIDTH - _RIGHT, snap=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="ground" width="{_WIDTH}" height="{height}"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
        *_draw_grid(scale, height - _BOTTOM),
        _text((scale.start + scale.end) / 2, height - 14, "middle", x_title),
    ]
    for index, rating in enumerate(table.ratings):
        parts += _draw_row(rating, _TOP + _ROW * (index + 0.5), scale, int(rating.player in marked))
    return "\n".join([*parts, "</svg>", ""])


def _draw_grid(scale: Scale, bottom: int) -> list[str]:
    parts = []
    for tick in scale.ticks():
        x, style = scale.place(tick), "zero" if tick == 0 else "grid"
        parts.append(f'<line class="{style}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{number_text(tick)}</text>')
    return parts


def _draw_row(rating: Rating, y: float, scale: Scale, colour: int) -> list[str]:
    x, low, high = (scale.place(value) for value in (rating.elo, rating.low, rating.high))
    elo = _whole(rating.elo)
    note = escape(f"{rating.player} · {elo} [{_whole(rating.low)}, {_whole(rating.high)}] Elo")
    return [
        _text(scale.start - 12, y + 4, "end", rating.player),
        f'<line class="line line{colour}" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="fill{colour}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"><title>{note}</title></circle>',
        _text(scale.end + 12, y + 4, "start", elo),
    ]


def _whole(elo: float) -> str:
    """Fractions of an Elo are below every error that is measured."""
    return number_text(round(elo) if math.isfinite(elo) else elo)


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text class="axis" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
