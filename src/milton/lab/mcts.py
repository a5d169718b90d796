"""Pure Monte Carlo tree search: UCB1 and random games to the end, in the core. No network, nothing to train.

From a leaf both sides play at random; the result is the leaf's value. A child is chosen by

    mean value + c √(ln N / n)        (Kocsis and Szepesvári 2006), c = 1.41

with N visits of the parent and n of the child; a child without visits goes first. Its own games can be kept
as training data for networks: `generate`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from milton import _core
from milton.config import Settings
from milton.games import core_game
from milton.nets.safetensors_file import Array
from milton.play.searcher import Searcher
from milton.selfplay import (
    FinishedGames,
    PlayedGames,
    core_selfplay_settings,
    record_games,
)
from milton.selfplay.finished import NetworkLabel, finished_games

from .method import MethodSettings, Session
from .searching import SearchingMethod


class PlayoutSettings(MethodSettings):
    simulations: int = Field(default=1_000, ge=1, le=10_000_000, description="Random games a move.")
    exploration: float = Field(default=1.41, gt=0.0, le=100.0, description="c of UCB1.")
    playout_moves: int = Field(
        default=50, ge=1, le=10_000, description="Moves of each side before a random game counts as drawn."
    )

    @property
    def playout_plies(self) -> int:
        return 2 * self.playout_moves

    def core(self) -> _core.SearchSettings:
        settings = _core.SearchSettings()
        settings.rule = _core.SelectionRule.UCB1
        settings.ucb1_exploration = self.exploration
        return settings


class PlayoutSearch(SearchingMethod[PlayoutSettings]):
    name = "mcts"
    summary = "pure Monte Carlo tree search, random playouts"
    settings_type = PlayoutSettings

    def advance(self, _session: Session, /) -> str:
        raise AssertionError("there is nothing to train")

    def share_done(self) -> float:
        return 1.0

    @property
    def simulations(self) -> int:
        return self.settings.simulations

    def new_tree(self, seed: int, memory_bytes: int, threads: int) -> Searcher:
        tree: Searcher = core_game(self.game).Searcher(
            None, self.settings.playout_plies, seed=seed, memory_bytes=memory_bytes, threads=threads
        )
        tree.set_settings(self.settings.core())
        return tree

    @property
    def num_parameters(self) -> int:
        return 0

    def generate(
        self, out: Path, num_games: int, *, threads: int, on_progress: Callable[[int], None] | None = None
    ) -> PlayedGames:
        """Plays itself and keeps the games as a shard that any network can be trained on."""
        settings = Settings.load(game=self.game)
        selfplay = settings.selfplay.with_full_searches(self.settings.simulations)
        core = core_selfplay_settings(settings.model_copy(update={"selfplay": selfplay}), iteration=1)
        core.search = self.settings.core()
        pool = core_game(self.game).SelfPlayPool(
            core,
            None,
            net_version=1,
            threads=threads,
            cache_entries=0,
            seed=self.record.seed,
            playout_plies=self.settings.playout_plies,
        )
        source = _PlayoutGames(pool, self.game, f"mcts-{self.settings.simulations}")
        return record_games(source, self.game, out, num_games, on_progress=on_progress)

    def _tensors(self) -> dict[str, Array]:
        return {}

    def _restore(self, tensors: Mapping[str, Array], where: str) -> None:
        pass


class _PlayoutGames:
    """Finished games of the core's pool, in the form that recording expects."""

    def __init__(self, pool: Any, game: str, name: str) -> None:
        self._pool, self._game, self._name = pool, game, name

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None:
        columns = self._pool.take(min_positions, timeout_s)
        if len(columns["winners"]) == 0:
            return None
        return finished_games(self._game, columns, {1: NetworkLabel(self._name)})

    def num_simulations(self) -> int:
        return int(self._pool.counters()[0])

    def stop(self) -> None:
        self._pool.stop()
