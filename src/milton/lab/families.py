"""Network families on equal wall time: the same labels, the same minutes of training, the same time a move.

What counts on a CPU is how much a family learns and how deep it searches in the given time. Each is trained
for so many minutes on one file of Stockfish's labels; then all play each other with a time limit.
Self-play would put slow families at a greater disadvantage, because they also play fewer games to learn from.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from milton.config import Settings, derive_seed
from milton.nets import Provenance
from milton.nets.presets import preset
from milton.nets.registry import build_net
from milton.rating import MoveLimit, PlayerSpec, network_spec
from milton.replay import Window, WindowColumns
from milton.teach.training import labelled_by
from milton.training import Learner, Losses, TrainPlan, save_candidate
from milton.training.learner import new_learner

from .taught import VALUE_BLEND, open_labels

# name in tables -> preset of milton.nets
FAMILIES = {
    "sparse": "chess-sparse",
    "tower-10x128": "chess-tower",
    "tower-19x256": "chess-tower-19",
    "tower-4x32-se": "chess-tower-small",
}
# About so long between two looks at the clock; the largest tower needs longer for a single step.
_LOOK_EVERY_S = 0.5
_HOLDOUT, _HOLDOUT_POSITIONS = 0.1, 512
_BATCH = 256


@dataclass(frozen=True, slots=True)
class FamilyReport:
    name: str
    checkpoint: Path
    num_parameters: int
    seconds: float
    positions_per_s: float  # in training
    epochs: float
    holdout: Losses

    def as_object(self) -> dict[str, object]:
        return asdict(self)


def train_family(
    name: str,
    labels: Path,
    folder: Path,
    minutes: float,
    *,
    threads: int,
    seed: int = 0,
    on_progress: Callable[[float, str], None] | None = None,
) -> FamilyReport:
    """Trains for this many minutes from random weights; the epoch with the lowest hold-out loss plays.

    Fast families see the labels many times and would overfit.
    """
    description = preset(FAMILIES[name])
    settings = Settings.profile("chess-cpu", {"train.batch_size": _BATCH, "train.ema_decay": 0.0})
    learner = new_learner(description, build_net(description, seed=seed), settings, threads)
    columns, window = open_labels(labels, _HOLDOUT)
    holdout_check = _HoldOutCheck(
        learner, columns, window, folder / f"{name}.safetensors", teacher=labelled_by(labels)
    )
    num_training = int((~columns.is_holdout).sum())
    seconds, spent, num_steps, portion, num_epochs = 60.0 * minutes, 0.0, 0, 1, 0
    started = time.monotonic()
    while spent < seconds:
        plan = TrainPlan(
            portion, settings.train.learning_rate, VALUE_BLEND, derive_seed(seed, num_steps), 1.0
        )
        learner.train(columns, plan)
        num_steps += portion
        if num_steps * _BATCH // num_training > num_epochs:
            num_epochs = num_steps * _BATCH // num_training
            holdout_check.take()
        took, spent = time.monotonic() - started - spent, time.monotonic() - started
        portion = portion * 2 if took < _LOOK_EVERY_S else portion
        if on_progress is not None:
            on_progress(min(1.0, spent / seconds), f"{num_steps * _BATCH:,} positions")
    holdout_check.take()
    return FamilyReport(
        name=name,
        checkpoint=holdout_check.checkpoint,
        num_parameters=sum(parameter.numel() for parameter in learner.state.net.parameters()),
        seconds=spent,
        positions_per_s=num_steps * _BATCH / spent,
        epochs=num_steps * _BATCH / num_training,
        holdout=holdout_check.best,
    )


class _HoldOutCheck:
    """Measures a learner on positions it never saw, and keeps the weights that did best."""

    def __init__(
        self, learner: Learner, columns: WindowColumns, window: Window, checkpoint: Path, *, teacher: str
    ) -> None:
        self._learner, self._columns = learner, columns
        self._indices = window.holdout_indices()[:_HOLDOUT_POSITIONS]
        self._provenance = Provenance(positions=columns.num_positions, teacher=teacher)
        self.checkpoint = checkpoint
        self._losses: Losses | None = None

    @property
    def best(self) -> Losses:
        assert self._losses is not None  # taken at least once, at the end
        return self._losses

    def take(self) -> None:
        losses = self._learner.measure(self._columns, self._indices, VALUE_BLEND)
        if self._losses is None or _total(losses) < _total(self._losses):
            self._losses = losses
            save_candidate(self._learner, self.checkpoint, self._provenance)


def _total(losses: Losses) -> float:
    """The loss that all families are compared by, whatever heads they have."""
    return losses.policy_loss + losses.value_error


def family_players(reports: Sequence[FamilyReport], seconds_a_move: float) -> list[PlayerSpec]:
    limit = MoveLimit("movetime", seconds_a_move)
    return [network_spec(report.checkpoint, "chess", limit, name=report.name) for report in reports]
