"""Behavioural cloning: a small policy network that imitates Stockfish's moves and plays without search.

Games are labelled at a time limit; the network learns which move the teacher would play (cross-entropy over
the legal moves) and what it thinks of the position. The figure to watch is how often the network finds the
teacher's move in games it has never seen.
"""

from milton.errors import TrainingError
from milton.games import Position
from milton.replay import WindowColumns
from milton.training import Losses

from .network import preferred_move
from .taught import TaughtMethod, TaughtSettings


class CloningSettings(TaughtSettings):
    """An MLP of two hidden layers, as REINFORCE has it."""


class Cloning(TaughtMethod[CloningSettings]):
    name = "cloning"
    summary = "behavioural cloning of Stockfish on a small MLP"
    settings_type = CloningSettings
    family = "mlp"

    def error_of(self, holdout: Losses) -> float:
        return holdout.policy_loss

    def figures_of(self, holdout: Losses) -> dict[str, float]:
        return {"holdout_accuracy": holdout.policy_agreement, "holdout_policy_loss": holdout.policy_loss}

    def check_lessons(self, columns: WindowColumns, /) -> None:
        if not len(columns.visit_moves):
            raise TrainingError(f"{self.settings.table}: cloning imitates moves, and the table has none")

    def _prepare(self, _seed: int, /) -> None:
        self._net = self.playing_net()

    def _choose(self, position: Position) -> str:
        return preferred_move(self._net, self.state.description.encoder, position)
