"""Who plays the pairs of a match: `play_pairs` in this process, or workers elsewhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .match import MatchGame, MatchPlan, Opening, play_pairs
from .results import PairCounts

# Pairs between two looks at a match; also what a killed match loses at most.
PORTION_PAIRS = 10


class PairPlayer(Protocol):
    """Plays every opening twice, as `play_pairs` does here."""

    def __call__(
        self,
        plan: MatchPlan,
        openings: Sequence[Opening],
        *,
        on_played: Callable[[int], None] | None = None,
    ) -> list[MatchGame]: ...


class PairWorkers(Protocol):
    """A workforce (milton.workforce) as a match sees it."""

    @property
    def play_pairs(self) -> PairPlayer: ...

    @property
    def portion_pairs(self) -> int:
        """Pairs that keep all workers busy; a match may end between two portions."""


class LocalPairs:
    """This process plays."""

    play_pairs: PairPlayer = staticmethod(play_pairs)
    portion_pairs = PORTION_PAIRS


@dataclass(frozen=True, slots=True)
class MatchWatcher:
    """Called with the progress of a match; raising ends it."""

    on_progress: Callable[[int, int, PairCounts], None] | None = None  # after a portion: games of all games
    on_game: Callable[[MatchGame], None] | None = None  # before that, with the portion's last game
    on_played: Callable[[int], None] | None = None  # a few times a second: games so far


HERE = LocalPairs()
NOBODY = MatchWatcher()
