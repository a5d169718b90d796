"""Trains a network of a run again on games that the run kept: wider, with more features, or with other steps.

The run stays as it is. Each phase is RATE:PASSES: a learning rate, and how often the positions are used
with it; optimiser and averaged weights go on from phase to phase. What is written is the average.

Usage: python scripts/retrain.py RUN OUT --iterations FIRST-LAST --hidden N [options] RATE:PASSES ...
Example: python scripts/retrain.py runs/chess net.safetensors --iterations 60-101 --hidden 512 5e-4:0.7 1e-4:1
"""

import argparse
import hashlib
import os
import time
from pathlib import Path

from milton.config import Settings
from milton.nets import Provenance, all_teachers, read_checkpoint_info
from milton.nets.from_settings import described_network
from milton.replay import Window, WindowSize
from milton.rundir import RunDir
from milton.training import learner_from_checkpoint
from milton.training.learner import save_candidate
from milton.training.schedule import TrainPlan, value_blend

HOLDOUT_POSITIONS = 50_000


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("phases", nargs="+", metavar="RATE:PASSES")
    parser.add_argument("--iterations", required=True, metavar="FIRST-LAST")
    parser.add_argument("--hidden", type=int, required=True)
    parser.add_argument("--encoder", default="", help="what it reads; as the run says if it is not given")
    parser.add_argument("--start", type=Path, help="the champion of the run if it is not given")
    parser.add_argument("--ema-decay", type=float, default=0.999)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_intermixed_args()


def load_window(run: RunDir, settings: Settings, iterations: str) -> Window:
    first, last = (int(text) for text in iterations.split("-"))
    window = Window(
        WindowSize.of(settings.train),
        holdout_fraction=settings.train.holdout_fraction,
        value_lookahead=settings.train.value_lookahead,
    )
    window.update([(number, path) for number, path in run.shard_paths() if first <= number <= last])
    return window


def main() -> None:
    options = arguments()
    changes: dict[str, object] = {
        "network.hidden": options.hidden,
        "train.ema_decay": options.ema_decay,
        "train.buffer_iterations": 1_000_000,
    }
    if options.encoder:
        changes["network.encoder"] = options.encoder
    with RunDir.open(options.run, writable=False) as run:
        settings = run.settings_now(changes)
        start: Path = options.start or run.champion_checkpoint()
        window = load_window(run, settings, options.iterations)
        num_ever = run.num_positions()
    columns = window.columns()
    num_training = int((~columns.is_holdout).sum())
    blend = value_blend(settings.train, num_ever)
    holdout = window.holdout_indices()[-HOLDOUT_POSITIONS:]
    learner = learner_from_checkpoint(
        start, settings, os.cpu_count() or 1, grow_to=described_network(settings)
    )
    print(
        f"{num_training:,} positions; hold-out before: {learner.measure(columns, holdout, blend)}", flush=True
    )
    started = time.monotonic()
    for number, phase in enumerate(options.phases):
        rate, passes = (float(text) for text in phase.split(":"))
        num_steps = int(passes * num_training / settings.train.batch_size)
        learner.train(columns, TrainPlan(num_steps, rate, blend, options.seed * 100 + number, passes))
        losses = learner.measure(columns, holdout, blend)
        print(
            f"{time.monotonic() - started:.0f} s: {phase}, {num_steps:,} steps; hold-out {losses}", flush=True
        )
    parent = read_checkpoint_info(start).provenance
    provenance = Provenance(
        run=parent.run,
        iteration=parent.iteration,
        positions=num_ever,
        parent_sha256=hashlib.sha256(start.read_bytes()).hexdigest(),
        teacher=all_teachers(parent.teacher, *window.teachers),
    )
    print(f"{options.out}: SHA-256 {save_candidate(learner, options.out, provenance)}")


if __name__ == "__main__":
    main()
