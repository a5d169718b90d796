"""What the driver knows of one worker. Decides nothing."""

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from milton.workforce import WorkerFigures, WorkerState

from .match_tasks import MatchTask
from .nodes import Slot

if TYPE_CHECKING:
    from ray.actor import ActorHandle

_PACE_S = 60.0  # over which speed is measured


@dataclass(slots=True, eq=False)
class WorkerHandle:
    name: str
    slot: Slot
    actor: "ActorHandle[Any]"
    started_s: float = field(default_factory=time.monotonic)
    last_heartbeat_s: float = field(default_factory=time.monotonic)
    ask_again_s: float = 0.0  # not earlier: it was out of reach
    is_ready: bool = False  # it runs the same program, and works
    is_silent: bool = False
    is_asked: bool = False  # for games; an answer is under way
    task: MatchTask | None = None  # of a match, being played
    order_number: int = 0  # newest order that was sent
    received: int = 0  # newest block that arrived
    num_simulations: int = 0
    _deliveries: deque[tuple[float, int]] = field(default_factory=deque)

    def note_positions(self, count: int, now: float) -> None:
        self._deliveries.append((now, count))

    def figures(self, now: float) -> WorkerFigures:
        while self._deliveries and self._deliveries[0][0] < now - _PACE_S:
            self._deliveries.popleft()
        seconds = max(1.0, min(_PACE_S, now - self.started_s))
        speed = sum(count for _, count in self._deliveries) / seconds
        state: WorkerState = "silent" if self.is_silent else "playing" if self.is_ready else "starting"
        return WorkerFigures(self.slot.node.name, state, self.slot.threads, speed)
