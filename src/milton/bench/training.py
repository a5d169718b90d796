"""How fast the sparse network is trained, next to plain PyTorch in the same run."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from milton.bench.measurement import Measurement
from milton.config import Settings
from milton.nets import Provenance
from milton.nets.checkpoint import save_checkpoint
from milton.nets.from_settings import described_network
from milton.nets.inputs import sparse_inputs
from milton.nets.registry import build_net
from milton.replay import ShardWriter, Window, WindowColumns, WindowSize
from milton.selfplay import PlayingNetwork, open_source
from milton.training import TrainPlan
from milton.training.learner import new_learner


def measure_training(quick: bool) -> Iterator[Measurement]:
    """Steps of the default recipe on fresh self-play positions."""
    num_steps, num_positions = (4, 4_000) if quick else (60, 60_000)
    settings = Settings.profile("chess-cpu")
    threads = os.cpu_count() or 1
    description = described_network(settings)
    columns, bytes_per_position = played_window(settings, threads, num_positions)
    learner = new_learner(description, build_net(description, seed=1), settings, threads)
    started = time.perf_counter()
    learner.train(columns, TrainPlan(num_steps, settings.train.learning_rate, 0.0, 1, 1.0))
    speed = num_steps * settings.train.batch_size / (time.perf_counter() - started)
    batch = settings.train.batch_size
    how = f"hidden {settings.network.hidden}, batch {batch}, {num_steps} steps, {threads} threads"
    yield Measurement("sparse training", speed, "positions/s", how)
    plain = _plain_pytorch_speed(settings, columns, max(2, num_steps // 10), threads)
    yield Measurement("sparse training in plain PyTorch", plain, "positions/s", "the same net and batches")
    yield Measurement("sparse training / plain PyTorch", speed / plain, "times", "the two lines above")
    how = f"{columns.num_positions:,} chess positions of self-play, 200/50 simulations"
    yield Measurement("shard size", bytes_per_position, "bytes a position", how)


def played_window(settings: Settings, threads: int, num_positions: int) -> tuple[WindowColumns, float]:
    """Positions of self-play by random weights, and the bytes that each takes in a shard."""
    description = described_network(settings)
    with tempfile.TemporaryDirectory() as name:
        checkpoint = Path(name) / "random.safetensors"
        state = build_net(description, seed=1).state_dict()
        save_checkpoint(checkpoint, description, state, Provenance(), for_play=True)
        return _played(Path(name), checkpoint, settings, threads, num_positions)


def _played(
    folder: Path, checkpoint: Path, settings: Settings, threads: int, num_positions: int
) -> tuple[WindowColumns, float]:
    source = open_source(PlayingNetwork(checkpoint, "bench"), settings, threads=threads, seed=1)
    shard = folder / "samples-0000.shard"
    writer = ShardWriter(shard, settings.game, described_network(settings).spec.packed_bytes)
    while writer.num_positions < num_positions:
        finished = source.take(min_positions=num_positions, timeout_s=1.0)
        if finished is not None:
            writer.append(finished.block)
    source.stop()
    window = Window(WindowSize.of(settings.train))
    window.update([(1, shard)])
    return window.columns(), shard.stat().st_size / writer.num_positions


def _plain_pytorch_speed(settings: Settings, columns: WindowColumns, num_steps: int, threads: int) -> float:
    """Forward and backward by autograd on the same positions, policies taken as uniform."""
    description = described_network(settings)
    spec, net = description.spec, build_net(description, seed=1)
    torch.set_num_threads(threads)
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)
    chooser = np.random.default_rng(1)
    started = time.perf_counter()
    for _ in range(num_steps):
        indices = chooser.integers(0, columns.num_positions, settings.train.batch_size)
        packed = np.ascontiguousarray(columns.packed[indices])
        inputs = sparse_inputs(spec, description.encoder, packed)
        wdl, policy = net(*map(torch.from_numpy, inputs))
        target = torch.from_numpy(columns.outcomes_stm[indices].astype(np.int64))
        log_policy = torch.log_softmax(policy, dim=1)
        loss = torch.nn.functional.cross_entropy(wdl, target) - log_policy[:, 0].mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    torch.set_num_threads(1)
    return num_steps * settings.train.batch_size / (time.perf_counter() - started)
