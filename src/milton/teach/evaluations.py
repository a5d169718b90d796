"""What a table writes in its evaluation column: centipawns, pawns or a mate. Knows no files."""

import re
from dataclasses import dataclass

from milton.errors import RecordError

# Plain ASCII decimals: no exponents, underscores, "nan" or digits of other scripts.
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})")
# "#3", "#-3", "#+3", "-#3", "M3", "mate -3"
_MATE = re.compile(r"([+-]?)(?:#|M|mate ?)([+-]?)([0-9]{1,4})", re.IGNORECASE)
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation as it was written, from the point of view that the table uses."""

    number: float | None  # in the unit of the table; None: a mate
    mate_in: int | None = None

    @property
    def has_fraction(self) -> bool:
        return self.number is not None and not self.number.is_integer()


def parse_evaluation(text: str) -> Evaluation:
    """RecordError if it is neither a number nor a mate."""
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped):
        return Evaluation(float(stripped))
    mate = _MATE.fullmatch(stripped)
    if mate is None:
        raise RecordError(f"expected a number or a mate such as #-3 as evaluation, got {shortened(text)!r}")
    sign = -1 if "-" in mate[1] + mate[2] else 1
    return Evaluation(None, sign * int(mate[3]))


def shortened(text: str) -> str:
    """A value from outside, short enough for a message."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
