"""The bot with attack maps: a value network over who attacks what, taught by Stockfish.

The network (`milton.nets.attack`) sees 34 planes of pieces and attack counts and answers whether White is
winning. Search chooses among moves by

    player × (1 − e) × prediction + e × win probability + log(1 + N) / (1 + n)

with N visits of the position and n of the move; the core's rule `blend`. `runs` and `exploration` (e) are the
settings for play. The labels leave out mates and evaluations beyond ten pawns and lie in [−1, 1].
The value of a network that answers for White must be negated for Black, in training and in search; here the
learner and the core do it.
"""

from pydantic import Field

from milton import _core
from milton.inference.pytorch import PyTorchEvaluator
from milton.play import Network
from milton.play.searcher import BYTES_PER_MB, Searcher, make_mcts
from milton.training import Losses

from .searching import SearchingMethod
from .taught import TaughtMethod, TaughtSettings


class AttackSettings(TaughtSettings):
    runs: int = Field(default=100, ge=1, le=1_000_000, description="Simulations a move.")
    exploration: float = Field(default=0.5, ge=0.0, le=1.0, description="e: weight of what search found.")


class AttackBot(SearchingMethod[AttackSettings], TaughtMethod[AttackSettings]):
    name = "attack"
    summary = "value network over attack maps with blended search"
    settings_type = AttackSettings
    family = "attack"

    def error_of(self, holdout: Losses) -> float:
        return holdout.value_error

    def figures_of(self, holdout: Losses) -> dict[str, float]:
        return {"holdout_squared_error": holdout.value_error}

    @property
    def simulations(self) -> int:
        return self.settings.runs

    def new_tree(self, _seed: int, memory_bytes: int, threads: int) -> Searcher:
        settings = _core.SearchSettings()
        settings.rule = _core.SelectionRule.BLEND
        settings.blend_exploration = self.settings.exploration
        evaluator = PyTorchEvaluator(self.playing_net(), self.state.description, "cpu")
        network = Network(self.game, self.name, dense=evaluator)
        return make_mcts(network, settings, memory_bytes // BYTES_PER_MB, threads)
