"""How much of a dense network's speed self-play keeps: many games, their leaves evaluated together."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from milton import _core
from milton.bench.measurement import Measurement
from milton.games import core_game
from milton.inference.evaluator import Evaluator
from milton.inference.leaves import evaluate_leaves
from milton.inference.load import load_evaluator
from milton.nets import NetDescription, Provenance
from milton.nets.checkpoint import save_checkpoint
from milton.nets.inputs import encode_planes
from milton.nets.presets import preset
from milton.nets.registry import build_net

PRESET = "chess-tower"


def measure_dense(quick: bool) -> Iterator[Measurement]:
    """The reference tower alone and in self-play, in turns, so that both meet the same disturbances."""
    batch, num_rounds = (4, 2) if quick else (64, 30)
    threads = os.cpu_count() or 1
    description = preset(PRESET)
    evaluator = _evaluator(description, threads)
    games = core_game(description.game).SelfPlayBatch(_core.SelfPlaySettings(), batch, 1)
    packed = np.empty((batch, description.spec.packed_bytes), np.uint8)

    def play() -> None:
        games.gather(packed)
        games.apply(*evaluate_leaves(evaluator, packed))

    played_s = raw_s = 0.0
    for _ in range(num_rounds):
        played_s += _seconds(play)
        planes = encode_planes(description.spec, description.encoder, packed)
        raw_s += _seconds(partial(evaluator.evaluate, planes))
    how = f"{PRESET}, batches of {batch}, {num_rounds} rounds, {evaluator.backend}"
    raw, played = (batch * num_rounds / seconds for seconds in (raw_s, played_s))
    yield Measurement("tower alone", raw, "positions/s", how)
    yield Measurement("tower in self-play", played, "evaluations/s", f"{batch} games, otherwise the same")
    yield Measurement("tower in self-play / alone", played / raw, "times", "the two lines above")


def _evaluator(description: NetDescription, threads: int) -> Evaluator:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "random.safetensors"
        save_checkpoint(checkpoint, description, build_net(description, seed=1).state_dict(), Provenance())
        return load_evaluator(checkpoint, "cpu", threads)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
