"""Everything a person sees of a running loop, as plain figures. Knows neither terminal nor browser."""

import time
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from milton.records import GameRecord, to_fields
from milton.rundir import EventLevel
from milton.system import resident_memory_mb

if TYPE_CHECKING:
    from milton.workforce import WorkerFigures

_KEPT_MESSAGES = 5


@dataclass(frozen=True, slots=True)
class Message:
    """Something a person should know at once."""

    level: EventLevel
    kind: str
    text: str
    action: str = ""
    time_s: float = field(default_factory=time.time)

    @property
    def full_text(self) -> str:
        return f"{self.text}; {self.action}" if self.action else self.text

    def __str__(self) -> str:
        return self.full_text if self.level == "info" else f"{self.level}: {self.full_text}"


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
    found: float = 0.0  # part of `done` that an interrupted loop had left behind

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total > 0 else 0.0

    def eta_s(self, now: float) -> float | None:
        """Seconds to go at the pace so far; None while nothing can be said."""
        passed, achieved = now - self.started_s, self.done - self.found
        if achieved <= 0.0 or passed < 1.0:
            return None
        return passed / achieved * max(0.0, self.total - self.done)


@dataclass(frozen=True, slots=True)
class ShownGame:
    """The newest finished game, to watch."""

    kind: Literal["selfplay", "arena"]
    iteration: int
    number: int  # grows from game to game
    game: GameRecord

    def as_fields(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "iteration": self.iteration,
            "number": self.number,
            "game": to_fields(self.game),
        }


@dataclass(slots=True)
class LiveStatus:
    """Written by the loop, read by views. Figures are 0 or empty until they are known."""

    run: str = ""
    game: str = ""
    path: str = ""  # the run folder as it was named
    num_iterations: int = 0  # where the loop stops; 0 never
    stage: StageFigures = field(default_factory=StageFigures)
    started_s: float = field(default_factory=time.time)
    num_positions: int = 0
    num_games: int = 0
    num_new_positions: int = 0  # of the current iteration
    games_per_hour: float = 0.0
    simulations_per_s: float = 0.0
    positions_per_s: float = 0.0
    draw_rate: float = 0.0  # of the games that this iteration has finished
    mean_plies: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)  # "train/policy_loss", "holdout/value_loss", …
    arena: str = ""  # score of the last match
    arena_elo: str = ""  # what that says, with its interval
    was_promoted: bool = False  # whether that match made a champion
    num_promotions: int = 0
    champion: str = ""
    elo: str = ""  # over the first champion, of the network that the last ladder measured
    elo_network: str = ""  # that network
    elo_chained: float | None = None  # estimate for a champion that no ladder has measured yet
    score_against_first: float | None = None  # of `elo_network`
    elo_history: list[float] = field(default_factory=list)  # of the ladder, oldest first
    selfplay_share: float = 0.0  # of the time of finished iterations
    processor_s: float | None = 0.0  # of all loops of the run; None if unknown
    milestone: str = ""  # the newest rating on a published scale
    milestone_time: str = ""  # after which it was measured
    messages: list[Message] = field(default_factory=list)  # newest last
    num_messages: int = 0  # ever, so that a view knows which it has not shown
    shown_game: ShownGame | None = None
    workers: list["WorkerFigures"] = field(default_factory=list)  # elsewhere; empty if this process plays

    def say(self, message: Message) -> None:
        self.messages = [*self.messages[1 - _KEPT_MESSAGES :], message]
        self.num_messages += 1

    def show(self, kind: Literal["selfplay", "arena"], game: GameRecord) -> None:
        """Puts a finished game of the present stage on display."""
        number = 1 if self.shown_game is None else self.shown_game.number + 1
        self.shown_game = ShownGame(kind, self.stage.iteration, number, game)

    def unseen(self, num_seen: int) -> list[Message]:
        """Messages after the first `num_seen`, as far as they are kept."""
        num_new = self.num_messages - num_seen
        return self.messages[-num_new:] if num_new > 0 else []

    def as_progress(self) -> dict[str, Any]:
        """What other processes may know (run.sqlite, state "progress")."""
        values = asdict(replace(self, shown_game=None))
        values["messages"] = [str(message) for message in self.messages]
        if self.shown_game is not None:
            values["shown_game"] = self.shown_game.as_fields()
        values["memory_mb"] = resident_memory_mb()
        values["updated_s"] = now = time.time()
        values["stage"] |= {"share": self.stage.share, "eta_s": self.stage.eta_s(now)}
        return values
