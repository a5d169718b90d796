"""How long a player may think about a move, as people write it. Knows no engine and reads no clock."""

import re
from dataclasses import dataclass
from typing import Literal

from milton.errors import ArgumentError

LimitKind = Literal["nodes", "depth", "movetime", "clock"]

_NUMBER = r"(\d+(?:\.\d+)?)"
_CLOCK = re.compile(rf"{_NUMBER}\+{_NUMBER}")
_SIMPLE = re.compile(rf"(nodes|depth|movetime):{_NUMBER}")
# Long enough for every engine of the catalog, short enough to play hundreds of games.
NAMED_LIMITS = {"short": "8+0.08", "long": "40+0.4"}
_EXPECTED = f"{', '.join(NAMED_LIMITS)}, nodes:N, depth:N, movetime:SECONDS or SECONDS+INCREMENT"


@dataclass(frozen=True, slots=True)
class MoveLimit:
    """One limit. `amount` is nodes, plies or seconds; of a clock, the seconds it starts with."""

    kind: LimitKind
    amount: float
    increment_s: float = 0.0  # of a clock, added after each move

    @classmethod
    def parse(cls, text: str) -> "MoveLimit":
        text = NAMED_LIMITS.get(text, text)
        if match := _CLOCK.fullmatch(text):
            if float(match[1]) <= 0.0:
                raise ArgumentError(f"expected a clock with time before the first move, got {text!r}")
            return cls("clock", float(match[1]), float(match[2]))
        match = _SIMPLE.fullmatch(text)
        if match is None or float(match[2]) <= 0.0:
            raise ArgumentError(f"expected a limit as {_EXPECTED}, got {text!r}")
        kind, amount = match[1], match[2]
        if kind == "movetime":
            return cls("movetime", float(amount))
        if "." in amount:
            raise ArgumentError(f"expected a whole number of {kind}, got {text!r}")
        return cls("nodes" if kind == "nodes" else "depth", float(amount))

    @property
    def is_timed(self) -> bool:
        """Whether play under it depends on how fast and how busy the machine is."""
        return self.kind in ("movetime", "clock")

    @property
    def count(self) -> int:
        """Nodes or plies."""
        return int(self.amount)

    def __str__(self) -> str:
        if self.kind == "clock":
            return f"{self.amount:g}+{self.increment_s:g}"
        return f"{self.kind}:{self.count if self.kind != 'movetime' else format(self.amount, 'g')}"


@dataclass(frozen=True, slots=True)
class Clocks:
    """What both clocks show before a move, in seconds; index 0 is the first player's."""

    remaining_s: tuple[float, float]
    increment_s: tuple[float, float]
