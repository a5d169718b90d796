"""Matches between networks as people play against them: each with its own search, in chess alpha-beta.

The gate of the loop plays by tree search, which says little about values deep in a search that trusts them.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from milton.config import SearchSettings
from milton.games import Position
from milton.play import Engine, Limits, Network

from .match import MatchGame, Opening

_MEMORY_MB = 8
# A game ends early if both sides see the same winner for so many plies in a row, with values beyond this.
_DECIDED_PLIES, _DECIDED_VALUE = 8, 0.95
_MAX_PLIES = 400


def play_engine_pairs(
    networks: tuple[Network, Network],
    openings: Sequence[Opening],
    *,
    nodes: int,
    threads: int,
    settings: tuple[SearchSettings, SearchSettings] | None = None,
    on_pair: Callable[[list[MatchGame]], None] | None = None,
) -> list[MatchGame]:
    """Every opening twice, colours swapped; games in the order of the openings, counted for the first one.

    `settings` are those of each network's side, by default those of the game. The result depends on networks,
    openings, nodes and settings alone. `on_pair` gets all games so far; what it raises
    ends the match after the games under way.
    """
    places = threading.local()

    def play(opening: Opening, a_moves_first: bool) -> MatchGame:
        if not hasattr(places, "engines"):
            places.engines = tuple(
                Engine(network, threads=1, memory_mb=_MEMORY_MB, settings=own)
                for network, own in zip(networks, settings or (None, None), strict=True)
            )
        for engine in places.engines:
            engine.forget()
        return _play_game(places.engines, opening, a_moves_first, Limits(nodes=nodes))

    pool = ThreadPoolExecutor(max_workers=max(1, threads), thread_name_prefix="match")
    try:
        futures = [
            pool.submit(play, opening, a_moves_first)
            for opening in openings
            for a_moves_first in (True, False)
        ]
        for _ in as_completed(futures):
            pairs = zip(futures[::2], futures[1::2], strict=True)
            done = [pair for pair in pairs if all(future.done() for future in pair)]
            if on_pair is not None:
                on_pair([future.result() for pair in done for future in pair])
        return [future.result() for future in futures]
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _play_game(
    engines: tuple[Engine, Engine], opening: Opening, a_moves_first: bool, limits: Limits
) -> MatchGame:
    position = Position.start(engines[0].game)
    first_side = position.side_to_move
    for move in opening:
        position = position.play(move)
    moves: list[str] = []
    values: list[float] = []
    decided, winner_seen = 0, -1
    while (outcome := position.outcome(claim_draws=True)) is None and len(moves) < _MAX_PLIES:
        is_a = (position.side_to_move == first_side) == a_moves_first
        choice = engines[0 if is_a else 1].choose(position, limits)
        assert choice.move is not None
        ahead = _ahead(choice.value, is_a)
        decided = decided + 1 if ahead >= 0 and ahead == winner_seen else int(ahead >= 0)
        winner_seen = ahead
        if decided >= _DECIDED_PLIES:
            return MatchGame(opening, a_moves_first, ahead, "adjudicated", tuple(moves), tuple(values))
        moves.append(choice.move)
        values.append(choice.value)
        position = position.play(choice.move)
    if outcome is None or outcome.winner is None:
        reason = outcome.reason if outcome is not None else "move limit"
        return MatchGame(opening, a_moves_first, -1, reason, tuple(moves), tuple(values))
    a_won = (outcome.winner == first_side) == a_moves_first
    return MatchGame(opening, a_moves_first, 0 if a_won else 1, outcome.reason, tuple(moves), tuple(values))


def _ahead(value: float, is_a: bool) -> int:
    """Who is winning by the mover's value: 0 for A, 1 for B, -1 for nobody."""
    if abs(value) < _DECIDED_VALUE:
        return -1
    return 0 if (value > 0.0) == is_a else 1
