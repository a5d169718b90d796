"""A driver that plays on a cluster, and a checker over the history of the blocks that it was sent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ray_cluster import until
from short_loop import tiny_settings
from small_nets import SMALL_NETS, write_net

from milton.cluster import ClusterAddress, ClusterWorkforce, open_workforce
from milton.cluster.block_queue import BlockQueue
from milton.cluster.block_wire import WireBlock
from milton.selfplay import GameSource, PlayingNetwork

SETTINGS = tiny_settings(**{"cluster.silence_s": 2.0})


@dataclass
class History:
    """Every block that came in at the driver, and the games that were handed over to the loop."""

    deliveries: list[tuple[str, int, int]] = field(default_factory=list)  # worker, its number, new positions
    num_taken: int = 0
    game_ids: list[int] = field(default_factory=list)

    def take(self, source: GameSource) -> None:
        games = source.take(1, 0.2)
        if games is not None:
            self.num_taken += games.block.num_positions
            self.game_ids += games.block.game_ids.tolist()

    def newest(self, worker: str) -> int:
        return max((number for name, number, _ in self.deliveries if name == worker), default=0)

    def workers(self) -> set[str]:
        return {name for name, _, _ in self.deliveries}

    def check(self, source: GameSource) -> None:
        """What is new comes once, in order, without a gap, and all of it reaches the loop."""
        for worker in self.workers():
            new = [number for name, number, positions in self.deliveries if name == worker and positions > 0]
            assert new == list(range(1, len(new) + 1)), worker
        arrived = sum(positions for _, _, positions in self.deliveries)
        while self.num_taken < arrived:
            self.take(source)
        assert len(set(self.game_ids)) == len(self.game_ids)


@contextmanager
def noted_history() -> Iterator[History]:
    """Notes every block that comes in meanwhile."""
    kept, add = History(), BlockQueue.add

    def noted(queue: BlockQueue, wire: WireBlock) -> int:
        positions = add(queue, wire)
        kept.deliveries.append((wire[0], wire[1], positions))
        return positions

    BlockQueue.add = noted  # type: ignore[method-assign]
    try:
        yield kept
    finally:
        BlockQueue.add = add  # type: ignore[method-assign]


@contextmanager
def playing(address: str, folder: Path) -> Iterator[tuple[ClusterWorkforce, GameSource]]:
    checkpoint = write_net(folder / "net.safetensors", SMALL_NETS["sparse-connect-four"])
    target = ClusterAddress(address, "the test")
    with open_workforce(target, SETTINGS, num_workers=0, threads=1) as workforce:
        source = workforce.open_source(PlayingNetwork(checkpoint, "n"), SETTINGS, threads=1, seed=9)
        yield workforce, source
        source.stop()


def states(workforce: ClusterWorkforce) -> dict[str, str]:
    return {worker.node: worker.state for worker in workforce.workers()}


def until_taken(history: History, source: GameSource, condition: Callable[[], object], what: str) -> None:
    """Takes games meanwhile, as the loop does: a full queue asks for none."""

    def look() -> bool:
        history.take(source)
        return bool(condition())

    until(look, what)
