"""Windows of really played games, for tests of training."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from selfplay_games import play_games, selfplay_settings

from milton.games import GameSpec
from milton.replay import GameBlock, ShardWriter, Window, WindowColumns, WindowSize
from milton.selfplay.finished import NetworkLabel, finished_games


@cache
def small_block(game: str, num_games: int = 24) -> GameBlock:
    """Games by search without a network; half of the positions carry a policy target."""
    settings = selfplay_settings(full_search_fraction=0.5, random_opening_plies=4, max_plies=60)
    columns = play_games(game, settings, num_games)
    offsets = {name: columns[name].astype(np.uint32) for name in ("game_offsets", "visit_offsets")}
    block = finished_games(game, {**columns, **offsets}, {1: NetworkLabel("nobody")}).block
    # How many more games were finished in the meantime is chance.
    return block.select_games(np.arange(block.num_games) < num_games)


@cache
def small_window(game: str, holdout_fraction: float = 0.2) -> WindowColumns:
    with TemporaryDirectory() as folder:
        shard = Path(folder) / "samples-0000.shard"
        with ShardWriter(shard, game, GameSpec.of(game).packed_bytes) as writer:
            writer.append(small_block(game))
        window = Window(WindowSize(positions=1_000_000), holdout_fraction=holdout_fraction)
        window.update([(1, shard)])
        return window.columns()
