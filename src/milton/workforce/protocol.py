"""The protocol of what plays the loop's games. Plays nothing."""

from dataclasses import dataclass
from typing import Literal, Protocol

from milton.arena import PairPlayer
from milton.config import Settings
from milton.rundir import EventLevel
from milton.selfplay import GameSource, PlayingNetwork


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


class Workforce(Protocol):
    """Whoever plays. Matches are between networks of the run, which search by the run's settings."""

    @property
    def play_pairs(self) -> PairPlayer: ...

    @property
    def portion_pairs(self) -> int:
        """Pairs that keep all workers busy."""

    def open_source(
        self, network: PlayingNetwork, settings: Settings, *, threads: int, seed: int
    ) -> GameSource:
        """As milton.selfplay.open_source."""

    def notices(self) -> list[Notice]:
        """What happened since the last call."""

    def workers(self) -> list[WorkerFigures]:
        """Those elsewhere; empty if there are none by design."""
