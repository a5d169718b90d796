"""A match cut into pieces that workers play: what is out, what is lost, what is done. Knows no Ray.

Pieces shrink towards the end, so that nobody waits long for the last; one that is out far too long is given
to a second worker, and whoever is first counts.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from milton.arena import MatchGame

# A piece is late when it takes so many times as long as the others did, and so much longer at least.
_LATE_FACTOR, _LATE_S = 3.0, 2.0


@dataclass(slots=True, eq=False)
class Piece:
    pairs: tuple[int, ...]  # indices of openings
    started_s: float = field(default_factory=time.monotonic)
    was_copied: bool = False


class Pieces:
    def __init__(self, num_pairs: int) -> None:
        self._waiting = list(range(num_pairs))
        self._made: set[Piece] = set()  # every piece of this match
        self._out: list[Piece] = []
        self._games: dict[int, tuple[MatchGame, MatchGame]] = {}
        self._num_pairs = num_pairs
        self._seconds_a_pair: list[float] = []

    def next_piece(self, threads: int, num_workers: int, now: float) -> Piece | None:
        """Something for a worker to do: a part of what waits, or a copy of what is late."""
        if self._waiting:
            fair = -(-len(self._waiting) // (2 * max(1, num_workers)))
            size = max(-(-threads // 2), fair)
            piece = Piece(tuple(self._waiting[:size]), now)
            del self._waiting[:size]
        else:
            late = next((piece for piece in self._out if self._is_late(piece, now)), None)
            if late is None:
                return None
            late.was_copied = True
            piece = Piece(late.pairs, now, was_copied=True)
        self._made.add(piece)
        self._out.append(piece)
        return piece

    def _is_late(self, piece: Piece, now: float) -> bool:
        if piece.was_copied or not self._seconds_a_pair:
            return False
        expected_s = max(self._seconds_a_pair) * len(piece.pairs)
        return now - piece.started_s > max(_LATE_FACTOR * expected_s, _LATE_S)

    def give_back(self, piece: Piece) -> None:
        """Its worker is lost or silent: somebody else must play what nobody else plays already."""
        if piece in self._out:
            self._out.remove(piece)
            held = {pair for other in self._out for pair in other.pairs}
            self._waiting += [pair for pair in piece.pairs if pair not in held and pair not in self._games]
            self._waiting.sort()

    def finish(self, piece: Piece, games: Sequence[MatchGame], now: float) -> None:
        """Two games a pair in order. Pairs that somebody else finished first stay as they are.

        A copy may come back after its match is over; another match has no use for it.
        """
        if piece not in self._made:
            return
        if piece in self._out:
            self._out.remove(piece)
        self._seconds_a_pair.append((now - piece.started_s) / len(piece.pairs))
        for pair, first, second in zip(piece.pairs, games[0::2], games[1::2], strict=True):
            self._games.setdefault(pair, (first, second))
        self._waiting = [pair for pair in self._waiting if pair not in self._games]

    @property
    def num_played(self) -> int:
        return 2 * len(self._games)

    @property
    def is_complete(self) -> bool:
        return len(self._games) == self._num_pairs

    def games(self) -> list[MatchGame]:
        return [game for pair in range(self._num_pairs) for game in self._games[pair]]
