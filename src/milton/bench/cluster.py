"""What it costs to have games played elsewhere: two Ray nodes with one core each against two threads here.

Nodes are real processes of Ray on this machine, bound to loopback; the two ways play in turns, so that both
meet the same disturbances.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from milton.bench.measurement import Measurement
from milton.bench.processes import seconds_of_descendants
from milton.bench.ray_node import end_node, start_node
from milton.cluster import ClusterAddress, Connection
from milton.cluster.block_wire import pack, unpack
from milton.cluster.work_folder import WorkFolder
from milton.cluster.workforce import ClusterWorkforce
from milton.config import Settings
from milton.errors import ArgumentError
from milton.games import GameSpec
from milton.play import shipped_champion
from milton.replay import ShardWriter
from milton.replay.format import FileHeader
from milton.selfplay import FinishedGames, GameSource, PlayingNetwork, open_source

GAME = "chess"
_NODES = 2
_SETTLE_S = 3.0  # orders to pause take up to a second


@dataclass(slots=True)
class Throughput:
    """What one way of playing delivered."""

    num_games: int = 0
    num_positions: int = 0
    seconds: float = 0.0
    driver_s: float = 0.0  # processor time of this process, all its threads
    all_s: float = 0.0  # and of every process of Ray that it started

    @property
    def games_per_s(self) -> float:
        return self.num_games / self.seconds


def measure_cluster(quick: bool) -> Iterator[Measurement]:
    seconds, num_rounds = (3.0, 1) if quick else (20.0, 6)
    settings = Settings.profile("chess-cpu").with_values({"loop.samples_per_iter": 40_000})
    checkpoint = bench_checkpoint()
    with tempfile.TemporaryDirectory() as name, loopback_nodes(_NODES) as address:
        shards = Path(name)
        network = PlayingNetwork(checkpoint, "bench")
        local = open_source(network, settings, threads=_NODES, seed=1)
        with (
            Connection(
                ClusterAddress(address, "the bench"), num_cpus=_NODES, object_store_mb=100
            ) as connection,
            ClusterWorkforce(connection, settings) as workforce,
        ):
            remote = workforce.open_source(network, settings, threads=_NODES, seed=2)
            while sum(worker.state == "playing" for worker in workforce.workers()) < _NODES:
                time.sleep(0.1)
            here, there = Throughput(), Throughput()
            for number in range(num_rounds):
                _measure_throughput(local, shards / f"here-{number}", seconds, here, other=remote)
                _measure_throughput(remote, shards / f"there-{number}", seconds, there, other=local)
        local.stop()
        yield from _compared(here, there, seconds, num_rounds)
    yield from _costs(checkpoint, settings, 2_000 if quick else 40_000)


def _measure_throughput(
    source: GameSource, shard: Path, seconds: float, into: Throughput, *, other: GameSource
) -> None:
    """Plays for a while and writes the games as the loop does; `other` waits meanwhile."""
    other.pause()
    source.resume()
    settled = time.perf_counter() + _SETTLE_S
    while time.perf_counter() < settled:
        source.take(1, 0.1)
    with ShardWriter(shard, GAME, GameSpec.of(GAME).packed_bytes) as writer:
        started, driver_s = time.perf_counter(), time.process_time()
        nodes_s = seconds_of_descendants(os.getpid())
        while (passed := time.perf_counter() - started) < seconds:
            finished = source.take(2_500, min(1.0, seconds - passed))
            if finished is not None:
                writer.append(finished.block, finished.encoded)
        into.seconds += time.perf_counter() - started
        into.driver_s += time.process_time() - driver_s
        into.all_s += time.process_time() - driver_s + seconds_of_descendants(os.getpid()) - nodes_s
        into.num_games += writer.num_games
        into.num_positions += writer.num_positions


def _compared(here: Throughput, there: Throughput, seconds: float, num_rounds: int) -> Iterator[Measurement]:
    how = f"{GAME}, shipped champion, cpu profile, {num_rounds} turns of {seconds:g} s each"
    load = os.getloadavg()[0]
    yield Measurement("two threads here", here.games_per_s, "games/s", how)
    yield Measurement("two nodes of one core", there.games_per_s, "games/s", "in turns with the line above")
    share = there.games_per_s / here.games_per_s
    yield Measurement("nodes / threads", share, "times", f"by the clock; load {load:.1f} at the end")
    yield Measurement("two threads here, positions", here.num_positions / here.seconds, "positions/s", how)
    yield Measurement("two nodes, positions", there.num_positions / there.seconds, "positions/s", "likewise")
    # Beside other programs the clock says little: what did a game cost in processor time, everything counted?
    cost_here, cost_there = (1000 * way.all_s / max(1, way.num_games) for way in (here, there))
    yield Measurement("processor time, here", cost_here, "ms a game", "this process")
    yield Measurement("processor time, two nodes", cost_there, "ms a game", "driver, workers, all of Ray")
    yield Measurement("nodes / threads", cost_here / cost_there, "times", "by processor time")
    driver_us = there.driver_s / max(1, there.num_games) * 1e6
    yield Measurement("driver", driver_us, "µs a game", "its processor time while the nodes played")


def _costs(checkpoint: Path, settings: Settings, num_positions: int) -> Iterator[Measurement]:
    """What a game costs on its way, measured on games played here."""
    blocks = recorded_games(checkpoint, settings, num_positions)
    num_games = sum(block.block.num_games for block in blocks)
    count = sum(block.block.num_positions for block in blocks)
    started = time.perf_counter()
    wire_blocks = [pack("bench", number, block) for number, block in enumerate(blocks, 1)]
    packed_s = time.perf_counter() - started
    file = FileHeader(GAME, GameSpec.of(GAME).packed_bytes)
    started = time.perf_counter()
    for wire_block in wire_blocks:
        unpack(wire_block, file)
    unpacked_s = time.perf_counter() - started
    num_bytes = sum(len(part) for wire_block in wire_blocks for part in wire_block if isinstance(part, bytes))
    how = f"{num_games:,} games, {count:,} positions in {len(wire_blocks)} blocks, one thread"
    yield Measurement("packing, on the worker", packed_s / num_games * 1e6, "µs a game", how)
    yield Measurement("unpacking, on the driver", unpacked_s / num_games * 1e6, "µs a game", how)
    yield Measurement("on the wire", num_bytes / num_games, "bytes a game", how)
    yield Measurement("on the wire, positions", num_bytes / count, "bytes a position", how)
    yield Measurement("weights", checkpoint.stat().st_size, "bytes a version", "once for each node")


def bench_checkpoint() -> Path:
    path = shipped_champion(GAME)
    if path is None:
        raise ArgumentError(f"this installation has no champion for {GAME}, which the benchmark plays with")
    return path


def recorded_games(checkpoint: Path, settings: Settings, num_positions: int) -> list[FinishedGames]:
    """Blocks of about 2,500 positions, as a worker of a cluster makes them."""
    threads = os.cpu_count() or 1
    source = open_source(PlayingNetwork(checkpoint, "bench"), settings, threads=threads, seed=3)
    blocks: list[FinishedGames] = []
    while sum(block.block.num_positions for block in blocks) < num_positions:
        finished = source.take(min(2_500, num_positions), 30.0)
        if finished is not None:
            blocks.append(finished)
    source.stop()
    return blocks


@contextmanager
def loopback_nodes(count: int) -> Iterator[str]:
    """The address of a cluster of nodes with one core each, for the time of the context."""
    folder = WorkFolder("mb-", "/tmp")  # also ends nodes of a benchmark that was killed
    nodes: list[Any] = []
    try:
        for number in range(count):
            address = nodes[0].gcs_address if nodes else None
            nodes.append(start_node(folder.path / f"node-{number + 1}", 1, address))
        yield nodes[0].gcs_address
    finally:
        for node in reversed(nodes):
            end_node(node)
        folder.close()
