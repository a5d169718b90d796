"""How a game ended. Knows no rules: the core decides when a game is over and why."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["first", "second"]  # White and Black in chess

SIDES: tuple[Side, Side] = ("first", "second")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: why, and who won (None for a draw)."""

    reason: str  # as the core names it, e.g. "checkmate", "threefold_repetition", "reached_top"
    winner: Side | None

    @property
    def is_draw(self) -> bool:
        return self.winner is None

    @property
    def result(self) -> str:
        """As PGN writes it: "1-0", "0-1" or "1/2-1/2"."""
        return {"first": "1-0", "second": "0-1", None: "1/2-1/2"}[self.winner]

    def score(self, side: Side) -> float:
        """1 for a win of `side`, 0.5 for a draw, 0 for a loss."""
        return (self.value(side) + 1) / 2

    def value(self, side: Side) -> int:
        """+1, 0 or -1 as `side` sees it."""
        if self.winner is None:
            return 0
        return 1 if self.winner == side else -1
