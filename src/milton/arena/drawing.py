"""What the pictures of this room share: colours, scales and numbers of SVG. Knows no ratings.

Pictures need no library, no fonts and no script, follow the reader's light or dark setting, and are the same
text for the same numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Theme:
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
_LIGHT = Theme(
    "#ffffff", "#1f2328", "#59636e", "#d8dee4", ("#0072b2", "#d55e00", "#008060", "#a8558a", "#8a6d00")
)
_DARK = Theme(
    "#0d1117", "#e6edf3", "#9198a1", "#2b323b", ("#56b4e9", "#ff9d5c", "#3fd0a4", "#e39cc6", "#f0e442")
)
NUM_COLOURS = len(_LIGHT.curves)

STYLE = f"""
text {{ font: 13px system-ui, sans-serif }}
.title {{ font-size: 16px; font-weight: 600 }}
.grid, .zero {{ stroke-width: 1 }}
.line {{ fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }}
.band {{ opacity: 0.2 }}
{_LIGHT.rules()}
@media (prefers-color-scheme: dark) {{ {_DARK.rules()} }}
"""


@dataclass(frozen=True, slots=True)
class Scale:
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


def make_scale(values: Sequence[float], start: float, end: float, snap: bool) -> Scale:
    low, high = min(values), max(values)
    if high - low < 1e-9 * max(1.0, abs(high)):
        high = low + max(1.0, abs(low))
    step = _round_step((high - low) / (_MOST_TICKS - 1))
    if snap:
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return Scale(low, high, step, start, end)


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 2.5, 5 × a power of ten that is not below `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(
        factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= rough * (1 - 1e-9)
    )


def number_text(value: float) -> str:
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
