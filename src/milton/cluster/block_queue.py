"""Where finished games of all workers arrive on the driver: each block once, none that is damaged. Knows no
Ray: one thread adds, another takes."""

import threading
import time
from collections import deque

from milton.games import GameSpec
from milton.replay.format import FileHeader
from milton.selfplay import FinishedGames

from .block_wire import WireBlock, unpack


class BlockQueue:
    def __init__(self, game: str, max_positions: int) -> None:
        """`is_full` from `max_positions` on: the producer should then wait."""
        self._file = FileHeader(game, GameSpec.of(game).packed_bytes)
        self._max_positions = max_positions
        self._changed = threading.Condition()
        self._waiting: deque[FinishedGames] = deque()
        self._num_positions = 0
        self._newest: dict[str, int] = {}  # sequence number by worker; workers number and send in order

    def add(self, wire: WireBlock) -> int:
        """Positions that are new: 0 for a block that came before. ShardError if it is damaged."""
        worker, sequence = wire[0], wire[1]
        if sequence <= self._newest.get(worker, 0):
            return 0
        games = unpack(wire, self._file).games
        with self._changed:
            self._newest[worker] = sequence
            self._waiting.append(games)
            self._num_positions += games.block.num_positions
            self._changed.notify_all()
        return games.block.num_positions

    def take(self, timeout_s: float) -> FinishedGames | None:
        """The oldest block not yet taken; None if none comes in time."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while not self._waiting:
                left_s = deadline - time.monotonic()
                if left_s <= 0 or not self._changed.wait(left_s):
                    break
            if not self._waiting:
                return None
            games = self._waiting.popleft()
            self._num_positions -= games.block.num_positions
            return games

    @property
    def is_full(self) -> bool:
        return self._num_positions >= self._max_positions
