"""How long a search may take. Knows no clock arithmetic; that is clock.py."""

from dataclasses import dataclass

from milton.config import Algorithm
from milton.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side to move. A remaining time below zero is possible: some programs send it."""

    remaining_s: float
    increment_s: float = 0.0  # added after each move
    moves_to_go: int | None = None  # until more time is added; None: all moves


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a level chooses among the moves of a short search (sampling.py)."""

    temperature: float  # of the choice among plausible moves; 0 takes the best
    plausible_share: float  # a plausible move has at least this share of the best one's weight


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search: whichever is reached first. A proven result always does.

    `depth` is alpha-beta's iteration, or the tree's mean distance from the root to the leaves. A tree's
    search for depth or mate also ends when its memory is full, because it would not get any further.
    """

    nodes: int | None = None  # positions that the search visits, whichever searches
    simulations: int | None = None  # of the tree: asks for Monte Carlo tree search
    movetime_s: float | None = None
    clock: Clock | None = None
    depth: int | None = None
    mate: int | None = None  # moves; ends when any result is proven
    infinite: bool = False  # until stopped, even when there is nothing left to search
    searchmoves: tuple[str, ...] = ()  # empty: all
    fresh: bool = False  # forget what earlier searches of the game found
    algorithm: Algorithm | None = None  # None: as the settings say
    sampling: Sampling | None = None  # of levels; None plays the best move

    def __post_init__(self) -> None:
        for name in ("nodes", "simulations", "depth", "mate"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ArgumentError(f"expected {name} of at least 1, got {value!r}")
        if not self.infinite and not self.is_bounded:
            raise ArgumentError("expected a limit (nodes, time, clock, depth, mate) or infinite, got none")

    @property
    def is_bounded(self) -> bool:
        limits = (self.nodes, self.simulations, self.movetime_s, self.clock, self.depth, self.mate)
        return any(limit is not None for limit in limits)
