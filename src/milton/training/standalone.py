"""Training outside a loop: shards -> checkpoint, once. Knows no run and no arena."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from milton.config import Settings
from milton.errors import ShardError
from milton.nets import Provenance, all_teachers, read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.nets.registry import build_net
from milton.replay import ShardReader, Window

from .learner import Learner, check_compatible, learner_from_checkpoint, new_learner, save_candidate
from .losses import Losses
from .schedule import FRESH_HELD, TrainPlan, make_plan

_HOLDOUT_POSITIONS = 50_000


@dataclass(frozen=True, slots=True)
class Trained:
    checkpoint: Path
    sha256: str
    num_positions: int  # in the window
    num_holdout: int
    plan: TrainPlan
    losses: Losses
    holdout: Losses
    seconds: float
    samples_per_s: float
    damages: tuple[str, ...]  # what of the shards could not be read


def find_shards(folder: Path) -> list[tuple[int, Path]]:
    """(iteration, path) of the shards in a folder, oldest first; each loose file counts as an iteration."""
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*.shard"))
    if not paths:
        raise ShardError(f"no shards in {str(folder)!r}; `milton selfplay --out {folder}` makes some")
    folders = sorted({path.parent for path in paths})
    by_folder = len(folders) > 1
    return [
        ((folders.index(path.parent) if by_folder else index) + 1, path) for index, path in enumerate(paths)
    ]


def shard_game(path: Path) -> str:
    """The game whose positions a shard holds."""
    return ShardReader(path).header.game


def train_on_shards(
    shards: Sequence[tuple[int, Path]],
    settings: Settings,
    out: Path,
    *,
    checkpoint: Path | None = None,
    chosen: frozenset[str] = frozenset(),
    threads: int,
    on_step: Callable[[int, int, Losses], None] | None = None,
) -> Trained:
    """Trains the network of `checkpoint` with a fresh optimiser, or random weights with a decaying rate.

    It first grows to what settings.network asks for in the keys that are `chosen`; else it stays as it is.
    Window, steps and targets follow settings.train; `on_step` hears step, number of steps and losses.
    """
    window = Window.of(settings.train)
    change = window.update(shards)
    columns = window.columns()
    num_training = int((~columns.is_holdout).sum())
    plan = make_plan(
        settings.train,
        num_new=num_training,
        num_window=num_training,
        num_ever=window.num_positions_ever,
        seed=settings.loop.seed,
        rate_factor=1.0,
    )
    if checkpoint is None:
        plan = replace(plan, held=FRESH_HELD)
    learner = _start(checkpoint, settings, threads, chosen)
    started = time.perf_counter()
    losses = learner.train(
        columns,
        plan,
        None if on_step is None else lambda step, losses: on_step(step, plan.num_steps, losses),
    )
    seconds = time.perf_counter() - started
    holdout = learner.measure(columns, window.holdout_indices()[-_HOLDOUT_POSITIONS:], plan.value_blend)
    # A network that was taught by another engine stays one, however much it learns afterwards.
    inherited = read_checkpoint_info(checkpoint).provenance.teacher if checkpoint is not None else ""
    provenance = Provenance(
        positions=window.num_positions_ever, teacher=all_teachers(inherited, *window.teachers)
    )
    return Trained(
        checkpoint=out,
        sha256=save_candidate(learner, out, provenance),
        num_positions=columns.num_positions,
        num_holdout=columns.num_positions - num_training,
        plan=plan,
        losses=losses,
        holdout=holdout,
        seconds=seconds,
        samples_per_s=plan.num_steps * settings.train.batch_size / seconds,
        damages=tuple(str(damage) for damage in change.damages),
    )


def _start(checkpoint: Path | None, settings: Settings, threads: int, chosen: frozenset[str]) -> Learner:
    wanted = described_network(settings)
    if checkpoint is None:
        return new_learner(wanted, build_net(wanted, seed=settings.loop.seed), settings, threads)
    if not chosen:
        return learner_from_checkpoint(checkpoint, settings, threads)
    found = read_checkpoint_info(checkpoint).description
    if found.is_sparse and wanted.is_sparse:
        if "network.hidden" not in chosen:
            wanted = replace(wanted, sizes=found.sizes)
        if "network.encoder" not in chosen:
            wanted = replace(wanted, encoder=found.encoder)
    check_compatible(checkpoint, wanted)
    return learner_from_checkpoint(checkpoint, settings, threads, grow_to=wanted)
