"""Everything a person sees of a running loop, as plain figures. Knows neither terminal nor browser."""

import resource
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class StageFigures:
    """The stage that runs now."""

    iteration: int = 0
    name: str = "starting"
    unit: str = ""
    done: float = 0.0
    total: float = 0.0
    started_s: float = field(default_factory=time.time)
    text: str = ""  # what the stage says of itself at the moment

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0

    def eta_s(self, now: float) -> float | None:
        """Seconds to go at the pace so far; None while nothing can be said."""
        passed = now - self.started_s
        if self.share <= 0.0 or passed < 1.0:
            return None
        return passed / self.share - passed


@dataclass(slots=True)
class Board:
    """Written by the loop, read by views. Figures are 0 or empty until they are known."""

    run: str = ""
    game: str = ""
    stage: StageFigures = field(default_factory=StageFigures)
    started_s: float = field(default_factory=time.time)
    num_positions: int = 0
    num_games: int = 0
    games_per_hour: float = 0.0
    simulations_per_s: float = 0.0
    positions_per_s: float = 0.0
    draw_rate: float = 0.0
    mean_plies: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)  # "train/policy_loss", "holdout/value_loss", …
    arena: str = ""  # the last match in words
    num_promotions: int = 0
    champion: str = ""
    elo: str = ""  # against the first champion
    selfplay_share: float = 0.0  # of the time of finished iterations
    messages: list[str] = field(default_factory=list)  # newest last

    def say(self, message: str) -> None:
        self.messages = [*self.messages[-4:], message]

    def as_progress(self) -> dict[str, Any]:
        """What other processes may know (run.sqlite, state "progress")."""
        values = asdict(self)
        values["memory_mb"] = memory_mb()
        values["updated_s"] = time.time()
        return values


def memory_mb() -> float:
    """Resident memory of this process; the peak where the system tells no better."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20
    except (OSError, ValueError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
