"""A GameSource whose games are played by the workers of a cluster, and by the driver when nobody is left."""

from pathlib import Path

from milton.arena import Notice
from milton.config import Settings
from milton.rundir import EventLevel
from milton.selfplay import FinishedGames, GameSource, open_source

from .foreman import KIND, Foreman
from .wire import Order

_PACKETS = 16  # an iteration arrives in so many blocks of each size, as it does without a cluster


class ClusterSource:
    """Belongs to the thread of the loop."""

    def __init__(
        self,
        foreman: Foreman,
        settings: Settings,
        checkpoint: Path,
        *,
        name: str,
        iteration: int,
        threads: int,
        seed: int,
        resign_threshold: float,
    ) -> None:
        self._foreman = foreman
        self._settings = settings
        self._threads, self._seed = threads, seed
        self._num_orders = 0
        self._is_paused = False
        self._stopgap: GameSource | None = None  # plays here while there is no worker
        self._num_stopgaps = 0
        self._num_simulations_before = 0  # of stopgaps that are over
        self._stopgap_notices: list[Notice] = []
        self.update(checkpoint, name, iteration, resign_threshold)

    def update(self, checkpoint: Path, name: str, iteration: int, resign_threshold: float) -> None:
        self._checkpoint, self._name = checkpoint, name
        self._iteration, self._resign_threshold = iteration, resign_threshold
        self._command()
        if self._stopgap is not None:
            self._stopgap.update(checkpoint, name, iteration, resign_threshold)

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        """A block as it arrived; `min_positions` only counts where the driver plays itself."""
        self._foreman.check()
        if self._foreman.is_alone and not self._is_paused:
            waiting = self._foreman.inbox.take(0.0)
            return waiting or self._here().take(min_positions, timeout_s)
        if self._stopgap is not None:
            last = self._stopgap.take(1, 0.0)
            self._end_stopgap("workers are back", "the driver plays no more")
            if last is not None:
                return last
        return self._foreman.inbox.take(timeout_s)

    def num_simulations(self) -> int:
        here = 0 if self._stopgap is None else self._stopgap.num_simulations()
        return self._foreman.num_simulations + self._num_simulations_before + here

    def pause(self) -> None:
        self._set_paused(True)

    def resume(self) -> None:
        self._set_paused(False)

    def stop(self) -> None:
        self._end_stopgap()

    def notices(self) -> list[Notice]:
        taken, self._stopgap_notices = self._stopgap_notices, []
        return taken

    def _set_paused(self, is_paused: bool) -> None:
        if is_paused == self._is_paused:
            return
        self._is_paused = is_paused
        self._command()
        if self._stopgap is not None and is_paused:
            self._stopgap.pause()
        elif self._stopgap is not None:
            self._stopgap.resume()

    def _command(self) -> None:
        self._num_orders += 1
        sha256, weights = self._foreman.put_weights(self._checkpoint.read_bytes())
        num_workers = max(1, len(self._foreman.figures()))
        order: Order = {
            "number": self._num_orders,
            "sha256": sha256,
            "name": self._name,
            "iteration": self._iteration,
            "resign_threshold": self._resign_threshold,
            "is_paused": self._is_paused,
            "block_positions": max(1, self._settings.loop.samples_per_iter // (_PACKETS * num_workers)),
            "max_waiting": self._settings.cluster.max_waiting_blocks,
        }
        self._foreman.command(order, weights)

    def _here(self) -> GameSource:
        """The driver's own games, with a seed that no other start had."""
        if self._stopgap is None:
            self._num_stopgaps += 1
            self._stopgap = open_source(
                self._checkpoint,
                self._settings,
                name=self._name,
                iteration=self._iteration,
                threads=self._threads,
                seed=self._seed ^ self._num_stopgaps,
                resign_threshold=self._resign_threshold,
            )
            patience_s = self._settings.cluster.patience_s
            self._say("warning", f"no worker for {patience_s:g} s", "the driver plays until one comes back")
        return self._stopgap

    def _end_stopgap(self, message: str = "", action: str = "") -> None:
        if self._stopgap is None:
            return
        self._num_simulations_before += self._stopgap.num_simulations()
        self._stopgap.stop()
        self._stopgap = None
        if message:
            self._say("info", message, action)

    def _say(self, level: EventLevel, message: str, action: str) -> None:
        self._stopgap_notices.append(Notice(level, KIND, message, action))
