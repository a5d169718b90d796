"""Where self-play games come from: the core's threads (sparse networks) or batches of leaves (dense ones).

Both keep their games alive while they are paused and pick new weights up between moves.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from milton import _core
from milton.config import Settings
from milton.games import GameSpec, core_game
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import EvaluatorFactory, load_evaluator
from milton.inference.sparse import load_sparse_net
from milton.nets import read_checkpoint_info

from .core_settings import core_selfplay_settings
from .finished import FinishedGames, NetworkLabel, finished_games
from .practice import PracticeStarts
from .resign import NEVER


@dataclass(frozen=True, slots=True)
class PlayingNetwork:
    """A network that plays itself, and how it does so in this iteration."""

    checkpoint: Path
    name: str  # as shards have it
    iteration: int = 1
    resign_below: float = NEVER  # root value, calibrated
    practice: PracticeStarts | None = None  # where a share of the games starts

    def core_settings(self, settings: Settings) -> _core.SelfPlaySettings:
        core = core_selfplay_settings(settings, self.iteration, self.resign_below)
        core.practice = None if self.practice is None else self.practice.to_core(settings.game)
        return core

    def label(self) -> NetworkLabel:
        return NetworkLabel(self.name, read_checkpoint_info(self.checkpoint).provenance.teacher)


class GameSource(Protocol):
    """Plays until it is stopped; callers get the games finished in the meantime."""

    def update(self, network: PlayingNetwork) -> None:
        """New weights and settings, from the next move on."""

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        """Games finished since the last call; None if there are none yet."""

    def num_simulations(self) -> int: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def stop(self) -> None: ...


def open_source(
    network: PlayingNetwork,
    settings: Settings,
    *,
    threads: int,
    seed: int,
    make_evaluator: EvaluatorFactory = load_evaluator,
) -> GameSource:
    """A source for a network, playing at once.

    `make_evaluator` says who evaluates the leaves of a dense network, anew for every `update`.
    """
    if read_checkpoint_info(network.checkpoint).description.is_sparse:
        return SparseSource(network, settings, threads=threads, seed=seed)
    return DenseSource(network, settings, threads=threads, seed=seed, make_evaluator=make_evaluator)


class SparseSource:
    """Whole games in the core's threads."""

    def __init__(self, network: PlayingNetwork, settings: Settings, *, threads: int, seed: int) -> None:
        self._settings = settings
        self._networks = {1: network.label()}
        net, _ = load_sparse_net(network.checkpoint, settings.game)
        self._pool = core_game(settings.game).SelfPlayPool(
            network.core_settings(settings),
            net,
            net_version=1,
            threads=threads,
            cache_entries=settings.search.cache_entries,
            seed=seed,
            max_backlog=settings.loop.samples_per_iter,
        )

    def update(self, network: PlayingNetwork) -> None:
        net, _ = load_sparse_net(network.checkpoint, self._settings.game)
        version = max(self._networks) + 1
        self._networks[version] = network.label()
        self._pool.update(network.core_settings(self._settings), net, version)

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        columns = self._pool.take(min_positions, timeout_s)
        if len(columns["winners"]) == 0:
            return None
        return finished_games(self._settings.game, columns, self._networks)

    def num_simulations(self) -> int:
        return int(self._pool.counters()[0])

    def pause(self) -> None:
        self._pool.pause()

    def resume(self) -> None:
        self._pool.resume()

    def stop(self) -> None:
        self._pool.stop()


class DenseSource:
    """Many games side by side; their leaves are evaluated together. Plays inside `take`."""

    def __init__(
        self,
        network: PlayingNetwork,
        settings: Settings,
        *,
        threads: int,
        seed: int,
        make_evaluator: EvaluatorFactory = load_evaluator,
    ) -> None:
        self._settings = settings
        self._threads = threads
        self._networks = {1: network.label()}
        self._make_evaluator = make_evaluator
        self._evaluator = make_evaluator(network.checkpoint, settings.train.device, threads)
        spec, core = GameSpec.of(settings.game), network.core_settings(settings)
        self._batch = core_game(settings.game).SelfPlayBatch(core, settings.selfplay.concurrency, seed)
        self._batch.update(core, 1)
        self._packed = np.empty((settings.selfplay.concurrency, spec.packed_bytes), dtype=np.uint8)

    def update(self, network: PlayingNetwork) -> None:
        self._evaluator = self._make_evaluator(network.checkpoint, self._settings.train.device, self._threads)
        version = max(self._networks) + 1
        self._networks[version] = network.label()
        self._batch.update(network.core_settings(self._settings), version)

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        deadline = time.monotonic() + timeout_s
        limit = self._settings.selfplay.inference_batch
        while self._batch.num_finished_positions < min_positions and time.monotonic() < deadline:
            self._batch.gather(self._packed)
            self._batch.apply(*evaluate_leaves(self._evaluator, self._packed, limit))
        columns = self._batch.take()
        if len(columns["winners"]) == 0:
            return None
        return finished_games(self._settings.game, columns, self._networks)

    def num_simulations(self) -> int:
        return int(self._batch.num_simulations)

    def pause(self) -> None:
        """Nothing plays outside `take`."""

    def resume(self) -> None:
        """See `pause`."""

    def stop(self) -> None:
        """See `pause`."""
