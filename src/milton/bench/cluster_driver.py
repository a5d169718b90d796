"""How much a driver can absorb: more and more fake workers hand it recorded games as fast as real ones would.

Many fake workers share a few processes of a real Ray, which take their part of this machine's cores: what is
measured is the least that a driver on a machine of its own would do.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from milton.bench.cluster import GAME, bench_checkpoint, recorded_games
from milton.bench.measurement import Measurement
from milton.cluster import ClusterAddress, Connection
from milton.cluster.block_wire import WireBlock, pack, seal, unpack
from milton.cluster.connection import LOCAL
from milton.cluster.coordinator import Coordinator
from milton.cluster.identity import own_identity
from milton.cluster.nodes import Node, Slot
from milton.cluster.wire import Order
from milton.cluster.worker_handle import WorkerHandle
from milton.config import Settings
from milton.games import GameSpec
from milton.replay import ShardWriter
from milton.replay.format import FileHeader

if TYPE_CHECKING:
    from types import ModuleType

# Positions a second of a fake worker: a machine with four cores or so (docs/cluster.md, a core's speed).
_WORKER_SPEED = 10_000
_HOSTS = 2  # processes that all fake workers live in
_FILE = FileHeader(GAME, GameSpec.of(GAME).packed_bytes)


def measure_driver(quick: bool) -> Iterator[Measurement]:
    num_positions, seconds, counts = (4_000, 2.0, (2,)) if quick else (60_000, 12.0, (1, 4, 8, 16, 32, 64))
    settings = Settings.profile("chess-cpu")
    games = recorded_games(bench_checkpoint(), settings, num_positions)
    wire_blocks = [pack("recorded", number, block) for number, block in enumerate(games, 1)]
    yield from _without_ray(wire_blocks)
    target = ClusterAddress(LOCAL, "the bench")
    with Connection(target, num_cpus=_HOSTS, object_store_mb=500) as connection:
        for count in counts:
            coordinator = _ReplayCoordinator(connection.ray, settings, count, wire_blocks)
            try:
                absorbed = _absorb(coordinator, seconds)
            finally:
                coordinator.close()
            how = f"{count * _WORKER_SPEED:,} offered, {seconds:g} s, load {os.getloadavg()[0]:.1f}"
            name = f"driver with {count} fake worker{'s' if count > 1 else ''}"
            yield Measurement(name, absorbed, "positions/s", how)


def _without_ray(wire_blocks: list[WireBlock]) -> Iterator[Measurement]:
    """One thread that checks, unpacks and writes blocks and does nothing else."""
    with tempfile.TemporaryDirectory() as name:
        started = time.perf_counter()
        with ShardWriter(Path(name) / "all.shard", GAME, _FILE.packed_bytes) as writer:
            for wire_block in wire_blocks:
                games = unpack(wire_block, _FILE).games
                writer.append(games.block, games.encoded)
            speed = writer.num_positions / (time.perf_counter() - started)
    yield Measurement("checked, unpacked, written", speed, "positions/s", "one thread, no Ray")


def _absorb(coordinator: "_ReplayCoordinator", seconds: float) -> float:
    """Positions a second that end up in shards on the disk."""
    with tempfile.TemporaryDirectory() as name:
        shards = _Shards(Path(name))
        deadline = time.perf_counter() + 60.0
        while (games := coordinator.block_queue.take(1.0)) is None and time.perf_counter() < deadline:
            coordinator.check()
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            if games is not None:
                shards.append(games.block, games.encoded)
            coordinator.check()
            games = coordinator.block_queue.take(0.2)
        shards.close()
        return shards.num_positions / (time.perf_counter() - started)


class _Shards:
    """Recorded games come again and again, and a shard takes a game once: then the next shard begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._num_shards = 0
        self.num_positions = 0
        self._writer = self._next()

    def append(self, block: Any, encoded: bytes | None) -> None:
        if self._writer.append(block, encoded) < block.num_games:
            self.close()
            self._writer = self._next()
            self._writer.append(block, encoded)
        self.num_positions += block.num_positions

    def close(self) -> None:
        self._writer.close()

    def _next(self) -> ShardWriter:
        self._num_shards += 1
        return ShardWriter(self._folder / f"{self._num_shards}.shard", GAME, _FILE.packed_bytes)


class FakeWorkers:
    """An asyncio actor that stands for several workers; each sends a block whenever one is due."""

    def __init__(self, wire_blocks: list[WireBlock]) -> None:
        self._wire_blocks = wire_blocks
        num_positions = sum(unpack(wire_block, _FILE).games.block.num_positions for wire_block in wire_blocks)
        self._seconds_a_block = num_positions / len(wire_blocks) / _WORKER_SPEED
        self._started_s: dict[str, float] = {}

    async def identity(self) -> dict[str, str]:
        return own_identity().to_wire()

    async def follow(self, name: str) -> None:
        """It plays from the first time it is asked for games."""

    async def collect(self, name: str, received: int, max_blocks: int, timeout_s: float) -> Any:
        self._started_s.setdefault(name, time.monotonic())
        deadline = time.monotonic() + timeout_s
        while max_blocks and self._num_due(name) <= received and time.monotonic() < deadline:
            due_s = self._started_s[name] + (received + 1) * self._seconds_a_block
            await asyncio.sleep(max(0.0, min(due_s, deadline) - time.monotonic()))
        last = min(self._num_due(name), received + max_blocks)
        # Where a worker begins in the record depends on its name, so that not all send the same at once.
        offset = int(name)
        blocks = (
            self._wire_blocks[(offset + number) % len(self._wire_blocks)] for number in range(received, last)
        )
        return 0, [seal(name, received + 1 + index, *block[2:5]) for index, block in enumerate(blocks)]

    async def stop(self) -> None:
        """Nothing runs."""

    def _num_due(self, name: str) -> int:
        return int((time.monotonic() - self._started_s[name]) / self._seconds_a_block)


class _FakeHandle:
    """One fake worker of a host, as an actor's handle looks to the coordinator."""

    def __init__(self, host: Any, name: str) -> None:
        self._host, self._name = host, name

    @property
    def identity(self) -> "_Method":
        return _Method(self._host.identity.remote)

    @property
    def follow(self) -> "_Method":
        """The order and its weights are of no use to a fake."""
        return _Method(lambda _order, _weights: self._host.follow.remote(self._name))

    @property
    def collect(self) -> "_Method":
        return _Method(lambda *arguments: self._host.collect.remote(self._name, *arguments))

    @property
    def stop(self) -> "_Method":
        return _Method(self._host.stop.remote)


@dataclass(frozen=True, slots=True)
class _Method:
    """What a method of an actor's handle looks like."""

    remote: Callable[..., Any]


class _ReplayCoordinator(Coordinator):
    """The real one, but for where its workers come from."""

    def __init__(
        self, ray: "ModuleType", settings: Settings, count: int, wire_blocks: list[WireBlock]
    ) -> None:
        actor = ray.remote(FakeWorkers).options(num_cpus=0, max_concurrency=1000)
        self._hosts = [actor.remote(wire_blocks) for _ in range(min(_HOSTS, count))]
        self._count = count
        self._has_started = False
        super().__init__(ray, settings, seed=1)
        order: dict[str, Any] = {"number": 1, "sha256": ""}
        self.command(Order(**order), ray.put(b""))  # type: ignore[typeddict-item]

    def _start_missing(self) -> None:
        if self._has_started:
            return
        self._has_started = True
        for number in range(self._count):
            handle: Any = _FakeHandle(self._hosts[number % len(self._hosts)], str(number))
            worker = WorkerHandle(str(number), Slot(Node(str(number), f"fake-{number}", 1), 0, 1), handle)
            self._add(worker)

    def _kill(self, worker: WorkerHandle) -> None:
        """Handles end with their hosts, which end with the connection."""

    def close(self) -> None:
        super().close()
        for host in self._hosts:
            self._ray.kill(host)
