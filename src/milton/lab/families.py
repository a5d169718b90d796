"""Network families on equal wall time: the same labels, the same minutes of training, the same time a move.

What a family is worth on a CPU is what it has learnt and how deep it can look in the time that it has. Each
is trained for so many minutes on one file of Stockfish's labels; then all play each other with a time limit.
Self-play would be harder still on slow families: they also make fewer games to learn from.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from milton.config import Settings
from milton.learn import Learner, Losses, TrainPlan, save_candidate
from milton.learn.learner import new_learner
from milton.nets import Provenance
from milton.nets.presets import preset
from milton.nets.registry import build_net
from milton.rating import MoveLimit, PlayerSpec, network_spec
from milton.replay import WindowColumns
from milton.teach.pupil import labelled_by

from .taught import VALUE_BLEND, open_lessons

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
    """Trains for so many minutes from random weights; the last weights play, whatever they are."""
    description = preset(FAMILIES[name])
    settings = Settings.profile("cpu", {"train.batch_size": _BATCH, "train.ema_decay": 0.0})
    learner = new_learner(description, build_net(description, seed=seed), settings, threads)
    columns, window = open_lessons(labels, _HOLDOUT)
    num_steps, seconds = _train_for(60.0 * minutes, learner, columns, settings, seed, on_progress)
    num_training = int((~columns.is_holdout).sum())
    checkpoint = folder / f"{name}.safetensors"
    save_candidate(learner, checkpoint, Provenance(positions=num_steps * _BATCH, teacher=labelled_by(labels)))
    return FamilyReport(
        name=name,
        checkpoint=checkpoint,
        num_parameters=_num_parameters(learner),
        seconds=seconds,
        positions_per_s=num_steps * _BATCH / seconds,
        epochs=num_steps * _BATCH / num_training,
        holdout=learner.measure(columns, window.holdout_indices()[:_HOLDOUT_POSITIONS], VALUE_BLEND),
    )


def _train_for(
    seconds: float,
    learner: Learner,
    columns: WindowColumns,
    settings: Settings,
    seed: int,
    on_progress: Callable[[float, str], None] | None,
) -> tuple[int, float]:
    """Steps taken and seconds spent, at least one step."""
    started, num_steps, portion = time.monotonic(), 0, 1
    spent = 0.0
    while spent < seconds:
        plan = TrainPlan(
            num_steps=portion,
            learning_rate=settings.train.learning_rate,
            value_blend=VALUE_BLEND,
            seed=seed * 1_000_003 + num_steps,
            uses_per_position=1.0,
        )
        losses = learner.train(columns, plan)
        num_steps += portion
        took, spent = time.monotonic() - started - spent, time.monotonic() - started
        if took < _LOOK_EVERY_S:
            portion *= 2
        if on_progress is not None:
            on_progress(min(1.0, spent / seconds), f"policy {losses.policy_loss:.3f}")
    return num_steps, spent


def family_players(reports: Sequence[FamilyReport], seconds_a_move: float) -> list[PlayerSpec]:
    limit = MoveLimit("movetime", seconds_a_move)
    return [network_spec(report.checkpoint, "chess", limit, name=report.name) for report in reports]


def _num_parameters(learner: Learner) -> int:
    return sum(parameter.numel() for parameter in learner.state.net.parameters())
