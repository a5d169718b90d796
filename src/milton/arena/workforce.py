"""Who plays the games of a run: this process, or workers elsewhere. The loop asks for games and matches and
does not know which it is; milton.cluster has the other answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from milton.config import Settings
from milton.rundir import EventLevel
from milton.selfplay import GameSource, open_source

from .match import MatchGame, Opening, Player, play_pairs

# Pairs between two looks at a match; also what a killed match loses at most.
PORTION_PAIRS = 10


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened to the workers and that a person should know."""

    level: EventLevel
    kind: str
    message: str
    action: str = ""


WorkerState = Literal["starting", "playing", "silent"]


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """One worker elsewhere, as it stands now."""

    node: str
    state: WorkerState
    threads: int
    positions_per_s: float


class PairPlayer(Protocol):
    """Plays every opening twice, as `play_pairs` does here."""

    def __call__(
        self,
        game: str,
        a: Player,
        b: Player,
        openings: Sequence[Opening],
        *,
        threads: int,
        max_plies: int = 400,
        temperature: float = 0.0,
        seed: int = 0,
        on_played: Callable[[int], None] | None = None,
    ) -> list[MatchGame]: ...


class Workforce(Protocol):
    """Whoever plays. Matches are between networks of the run, which search by the run's settings."""

    @property
    def play_pairs(self) -> PairPlayer: ...

    @property
    def portion_pairs(self) -> int:
        """Pairs that keep everybody busy."""

    def open_source(
        self,
        checkpoint: Path,
        settings: Settings,
        *,
        name: str,
        iteration: int,
        threads: int,
        seed: int,
        resign_threshold: float,
    ) -> GameSource:
        """As milton.selfplay.open_source."""

    def notices(self) -> list[Notice]:
        """What happened since the last call."""

    def workers(self) -> list[WorkerFigures]:
        """Those elsewhere; empty if there are none by design."""


class LocalWorkforce:
    """This process alone."""

    play_pairs: PairPlayer = staticmethod(play_pairs)
    portion_pairs = PORTION_PAIRS
    open_source = staticmethod(open_source)

    def notices(self) -> list[Notice]:
        return []

    def workers(self) -> list[WorkerFigures]:
        return []
