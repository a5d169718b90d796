"""Labels -> a network: epochs with a decaying learning rate; the best one on held-out games is kept."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from milton.config import Settings, derive_seed
from milton.errors import ShardError, TrainingError
from milton.nets import Provenance, all_teachers, read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.nets.registry import build_net
from milton.replay import ShardReader, Window, WindowColumns, WindowSize
from milton.rundir import sha256_of
from milton.training import Learner, Losses, TrainPlan, learner_from_checkpoint, save_candidate
from milton.training.learner import new_learner

# The value target is the teacher's evaluation alone: labelled games are not played out.
VALUE_BLEND = 1.0


@dataclass(frozen=True, slots=True)
class Epoch:
    number: int
    train: Losses
    holdout: Losses
    learning_rate: float


@dataclass(frozen=True, slots=True)
class Taught:
    checkpoint: Path
    sha256: str
    teacher: str
    num_positions: int
    num_holdout: int
    epochs: tuple[Epoch, ...]
    best_epoch: int  # the one that was saved
    seconds: float


def teach(
    labels: Path,
    settings: Settings,
    out: Path,
    *,
    num_epochs: int,
    holdout_fraction: float,
    checkpoint: Path | None = None,
    threads: int,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> Taught:
    """Trains the network of the settings (or of `checkpoint`) and writes it, marked as taught."""
    inherited = read_checkpoint_info(checkpoint).provenance.teacher if checkpoint is not None else ""
    teacher = all_teachers(inherited, labelled_by(labels))
    window = Window(WindowSize(positions=2**62), holdout_fraction=holdout_fraction)
    window.update([(1, labels)])
    columns = window.columns()
    num_training = int((~columns.is_holdout).sum())
    if not 0 < num_training < columns.num_positions:
        raise TrainingError(
            f"{labels}: {columns.num_positions} labels are too few to hold some out; label more positions"
        )
    learner = _learner(checkpoint, settings, threads)
    provenance = Provenance(
        positions=num_training,
        parent_sha256=sha256_of(checkpoint) if checkpoint is not None else "",
        teacher=teacher,
    )
    started = time.perf_counter()
    epochs: list[Epoch] = []
    best, sha256 = math.inf, ""
    for number in range(1, num_epochs + 1):
        epochs.append(_epoch(learner, columns, window, settings, number, num_epochs))
        loss = _total_loss(epochs[-1].holdout, settings)
        if loss < best:
            best = loss
            sha256 = save_candidate(learner, out, provenance)
        if on_epoch is not None:
            on_epoch(epochs[-1])
    return Taught(
        checkpoint=out,
        sha256=sha256,
        teacher=teacher,
        num_positions=columns.num_positions,
        num_holdout=columns.num_positions - num_training,
        epochs=tuple(epochs),
        best_epoch=min(epochs, key=lambda epoch: _total_loss(epoch.holdout, settings)).number,
        seconds=time.perf_counter() - started,
    )


def labelled_by(labels: Path) -> str:
    """The teacher named in a label file."""
    names = {name for block in ShardReader(labels).blocks() for name in block.network_names}
    if len(names) != 1:
        raise ShardError(f"{labels}: expected labels of one teacher, got {sorted(names)!r}")
    return names.pop()


def _epoch(
    learner: Learner, columns: WindowColumns, window: Window, settings: Settings, number: int, num_epochs: int
) -> Epoch:
    train = settings.train
    num_training = int((~columns.is_holdout).sum())
    # Half a cosine from the first rate to the last, an epoch being one step of it.
    progress = (1.0 - math.cos(math.pi * (number - 1) / max(1, num_epochs - 1))) / 2.0
    rate = train.learning_rate + (train.learning_rate_final - train.learning_rate) * progress
    plan = TrainPlan(
        num_steps=max(1, math.ceil(num_training / train.batch_size)),
        learning_rate=rate,
        value_blend=VALUE_BLEND,
        seed=derive_seed(settings.loop.seed, number),
        uses_per_position=1.0,
    )
    losses = learner.train(columns, plan)
    return Epoch(number, losses, learner.measure(columns, window.holdout_indices(), VALUE_BLEND), rate)


def _total_loss(losses: Losses, settings: Settings) -> float:
    train = settings.train
    return train.value_loss_weight * losses.value_loss + train.policy_loss_weight * losses.policy_loss


def _learner(checkpoint: Path | None, settings: Settings, threads: int) -> Learner:
    if checkpoint is not None:
        return learner_from_checkpoint(checkpoint, settings, threads)
    description = described_network(settings)
    return new_learner(description, build_net(description, seed=settings.loop.seed), settings, threads)
