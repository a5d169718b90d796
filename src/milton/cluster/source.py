"""A GameSource whose games are played by the workers of a cluster, or by the driver if no worker is left."""

from milton.config import Settings, unrelated_seed
from milton.rundir import EventLevel
from milton.selfplay import FinishedGames, GameSource, PlayingNetwork, open_source
from milton.workforce import Notice

from .coordinator import KIND, Coordinator
from .wire import Order

_PACKETS = 16  # an iteration arrives in so many blocks of each size, as it does without a cluster


class ClusterSource:
    """Belongs to the thread of the loop."""

    def __init__(
        self,
        coordinator: Coordinator,
        network: PlayingNetwork,
        settings: Settings,
        *,
        threads: int,
        seed: int,
    ) -> None:
        self._coordinator = coordinator
        self._settings = settings
        self._threads, self._seed = threads, seed
        self._num_orders = 0
        self._is_paused = False
        self._fallback: GameSource | None = None  # plays here while there is no worker
        self._num_fallbacks = 0
        self._num_simulations_before = 0  # of fallbacks that are over
        self._fallback_notices: list[Notice] = []
        self.update(network)

    def update(self, network: PlayingNetwork) -> None:
        self._network = network
        self._command()
        if self._fallback is not None:
            self._fallback.update(network)

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        """A block as it arrived; `min_positions` only counts where the driver plays itself."""
        self._coordinator.check()
        if self._coordinator.has_no_workers and not self._is_paused:
            waiting = self._coordinator.block_queue.take(0.0)
            return waiting or self._here().take(min_positions, timeout_s)
        if self._fallback is not None:
            last = self._fallback.take(1, 0.0)
            self._end_fallback("workers are back", "the driver plays no more")
            if last is not None:
                return last
        return self._coordinator.block_queue.take(timeout_s)

    def num_simulations(self) -> int:
        here = 0 if self._fallback is None else self._fallback.num_simulations()
        return self._coordinator.num_simulations + self._num_simulations_before + here

    def pause(self) -> None:
        self._set_paused(True)

    def resume(self) -> None:
        self._set_paused(False)

    def stop(self) -> None:
        self._end_fallback()

    def notices(self) -> list[Notice]:
        taken, self._fallback_notices = self._fallback_notices, []
        return taken

    def _set_paused(self, is_paused: bool) -> None:
        if is_paused == self._is_paused:
            return
        self._is_paused = is_paused
        self._command()
        if self._fallback is not None and is_paused:
            self._fallback.pause()
        elif self._fallback is not None:
            self._fallback.resume()

    def _command(self) -> None:
        self._num_orders += 1
        sha256, weights = self._coordinator.put_weights(self._network.checkpoint.read_bytes())
        num_workers = max(1, len(self._coordinator.figures()))
        practice = self._network.practice
        order: Order = {
            "number": self._num_orders,
            "sha256": sha256,
            "name": self._network.name,
            "iteration": self._network.iteration,
            "resign_below": self._network.resign_below,
            "practice": None if practice is None else practice.to_wire(),
            "is_paused": self._is_paused,
            "block_positions": max(1, self._settings.loop.samples_per_iter // (_PACKETS * num_workers)),
            "max_waiting": self._settings.cluster.max_waiting_blocks,
        }
        self._coordinator.command(order, weights)

    def _here(self) -> GameSource:
        """The driver's own games, with a seed that no other start had."""
        if self._fallback is None:
            self._num_fallbacks += 1
            seed = unrelated_seed(self._seed, "driver", self._num_fallbacks)
            self._fallback = open_source(self._network, self._settings, threads=self._threads, seed=seed)
            patience_s = self._settings.cluster.patience_s
            self._say("warning", f"no worker for {patience_s:g} s", "the driver plays until one comes back")
        return self._fallback

    def _end_fallback(self, message: str = "", action: str = "") -> None:
        if self._fallback is None:
            return
        self._num_simulations_before += self._fallback.num_simulations()
        self._fallback.stop()
        self._fallback = None
        if message:
            self._say("info", message, action)

    def _say(self, level: EventLevel, message: str, action: str) -> None:
        self._fallback_notices.append(Notice(level, KIND, message, action))
