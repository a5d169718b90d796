"""Plays a number of games with one network and keeps them: checkpoint -> shard and games to read.

The loop does the same without an end; this is for looking at a network, or for making data by hand.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from milton.config import Settings
from milton.errors import RunError
from milton.games import GameSpec
from milton.records import dated, games_suffix, write_games
from milton.replay import GameBlock, ShardReader, ShardWriter, recorded_games
from milton.rundir import explain_os_error

from .counts import count_games
from .finished import FinishedGames
from .source import PlayingNetwork, open_source

SHARD_NAME = "samples-0000.shard"


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """What was played, and where it lies."""

    shard: Path
    games: Path  # PGN for chess, JSON lines for the others
    num_games: int
    num_positions: int
    num_distinct: int
    first_wins: int
    draws: int
    second_wins: int
    end_reasons: dict[str, int]
    seconds: float
    simulations_per_s: float

    @property
    def mean_plies(self) -> float:
        return self.num_positions / max(1, self.num_games)


def play_games(
    checkpoint: Path,
    settings: Settings,
    out: Path,
    num_games: int,
    *,
    threads: int,
    seed: int,
    name: str = "",
    on_progress: Callable[[int], None] | None = None,
) -> PlayedGames:
    """The first `num_games` that are finished; `on_progress` hears how many are."""
    network = PlayingNetwork(checkpoint, name or checkpoint.name)
    source = open_source(network, settings, threads=threads, seed=seed)
    return record_games(source, settings.game, out, num_games, on_progress=on_progress)


class FinishedSource(Protocol):
    """The part of a GameSource that recording needs."""

    def take(self, min_positions: int, timeout_s: float) -> FinishedGames | None: ...
    def num_simulations(self) -> int: ...
    def stop(self) -> None: ...


def record_games(
    source: FinishedSource,
    game: str,
    out: Path,
    num_games: int,
    *,
    on_progress: Callable[[int], None] | None = None,
) -> PlayedGames:
    """Keeps what a source plays, then stops it."""
    started = time.perf_counter()
    try:
        shard = _new_shard(out)
        with ShardWriter(shard, game, GameSpec.of(game).packed_bytes) as writer:
            while writer.num_games < num_games:
                finished = source.take(min_positions=1, timeout_s=0.25)
                if finished is not None:
                    writer.append(_first_games(finished.block, num_games - writer.num_games))
                if on_progress is not None:
                    on_progress(writer.num_games)
        num_simulations = source.num_simulations()
    finally:
        source.stop()
    seconds = time.perf_counter() - started
    blocks = list(ShardReader(shard).blocks())
    games = out / f"games{games_suffix(game)}"
    write_games(games, dated(played for block in blocks for played in recorded_games(block)))
    counts = asdict(count_games(blocks))
    return PlayedGames(shard, games, **counts, seconds=seconds, simulations_per_s=num_simulations / seconds)


def _new_shard(out: Path) -> Path:
    shard = out / SHARD_NAME
    if shard.exists():
        raise RunError(f"{str(shard)!r} exists already; choose another folder with --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explain_os_error(error, out) from error
    return shard


def _first_games(block: GameBlock, count: int) -> GameBlock:
    return block if block.num_games <= count else block.select_games(np.arange(block.num_games) < count)
