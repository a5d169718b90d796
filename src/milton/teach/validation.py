"""How well networks predict labels that they were not trained on. Nothing is trained here."""

from pathlib import Path

import numpy as np

from milton.config import Settings
from milton.errors import CheckpointError, ShardError
from milton.nets import read_checkpoint_info
from milton.replay import ShardReader, Window, WindowColumns, WindowSize
from milton.training import Losses, learner_from_checkpoint

from .training import VALUE_BLEND


class Validation:
    """The first labels of a file, to measure networks by."""

    def __init__(self, labels: Path, most_positions: int) -> None:
        self.game = ShardReader(labels).header.game
        window = Window(WindowSize(positions=2**62), holdout_fraction=0.0)
        change = window.update([(1, labels)])
        if change.damages:  # losses over what is left would not be comparable with those over the whole
            raise ShardError(str(change.damages[0]))
        if window.num_positions == 0:
            raise ShardError(f"{labels}: holds no labels to measure by")
        self._columns: WindowColumns = window.columns()
        self.num_positions = min(most_positions, self._columns.num_positions)

    def measure(self, checkpoint: Path, threads: int) -> Losses:
        """Losses with the labels as targets: the policy's, the value's, and how often the moves agree."""
        game = read_checkpoint_info(checkpoint).description.game
        if game != self.game:
            raise CheckpointError(f"{checkpoint}: the labels are of {self.game}, this network is of {game}")
        learner = learner_from_checkpoint(checkpoint, Settings.load(game=game, use_user_file=False), threads)
        return learner.measure(self._columns, np.arange(self.num_positions), VALUE_BLEND)
