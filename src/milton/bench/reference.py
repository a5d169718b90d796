"""What the reference profile (a tower of 10 × 128) costs: a training step, and an iteration.

An iteration takes hours on a CPU, so it is computed from measured rates, and the measurement says so.
"""

import os
import time
from collections.abc import Iterator

from milton.bench.dense import measure_dense
from milton.bench.measurement import Measurement
from milton.bench.training import played_window
from milton.config import Settings
from milton.nets.from_settings import described_network
from milton.nets.registry import build_net
from milton.training import TrainPlan
from milton.training.learner import new_learner


def measure_reference(quick: bool) -> Iterator[Measurement]:
    """One step of training, and how long the stages of an iteration take at the measured rates."""
    settings = Settings.profile("chess-reference", {"train.batch_size": 8} if quick else {})
    num_steps, threads = (1, os.cpu_count() or 1) if quick else (5, os.cpu_count() or 1)
    description = described_network(settings)
    learner = new_learner(description, build_net(description, seed=1), settings, threads)
    columns, _ = played_window(Settings.profile("chess-cpu"), threads, 500 if quick else 6_000)
    learner.train(columns, _plan(settings, 1))  # the first step also allocates
    started = time.perf_counter()
    learner.train(columns, _plan(settings, num_steps))
    step_s = (time.perf_counter() - started) / num_steps
    how = f"tower {settings.network.blocks} × {settings.network.filters}, batch {settings.train.batch_size}"
    yield Measurement("reference training step", step_s * 1000, "ms", f"{how}, {num_steps} steps")
    dense = {entry.name: entry.value for entry in measure_dense(quick)}
    yield from _iteration(settings, step_s, dense["tower in self-play"])


def _plan(settings: Settings, num_steps: int) -> TrainPlan:
    return TrainPlan(num_steps, settings.train.learning_rate, 0.0, 1, 1.0)


def _iteration(settings: Settings, step_s: float, evaluations_per_s: float) -> Iterator[Measurement]:
    samples, arena = settings.loop.samples_per_iter, settings.arena
    selfplay_s = samples * settings.selfplay.simulations / evaluations_per_s
    window = settings.train.buffer_iterations * samples
    num_steps = settings.train.epochs_per_iter * window / settings.train.batch_size
    num_moves = arena.games * samples / settings.selfplay.games  # games as long as those of self-play
    arena_s = num_moves * arena.simulations / evaluations_per_s
    how = f"computed: {samples:,} positions × {settings.selfplay.simulations} at {evaluations_per_s:,.0f}/s"
    yield Measurement("reference self-play", selfplay_s / 60, "minutes", how)
    how = f"computed: {num_steps:,.0f} steps over a full window"
    yield Measurement("reference training", num_steps * step_s / 60, "minutes", how)
    how = f"computed: {arena.games} games × {arena.simulations} simulations a move"
    yield Measurement("reference arena", arena_s / 60, "minutes", how)
    whole_s = selfplay_s + num_steps * step_s + arena_s
    yield Measurement("reference iteration", whole_s / 60, "minutes", "the three lines above")
