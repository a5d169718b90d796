"""Self-play in the core for tests: small settings, finished games, one game out of their columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from milton import _core
from milton.games import CoreLine, core_game
from milton.replay import NO_MOVE, PositionFlag

Columns = Mapping[str, Any]


def selfplay_settings(*, epsilon: float = 0.25, **values: Any) -> Any:
    """Few simulations, no random opening; everything else as the core has it."""
    settings = _core.SelfPlaySettings()
    settings.simulations, settings.fast_simulations = 24, 8
    settings.random_opening_plies, settings.max_plies = 0, 80
    noise = _core.RootNoise()
    noise.share = epsilon
    settings.noise = noise
    for name, value in values.items():
        owner = settings if hasattr(settings, name) else settings.search
        assert hasattr(owner, name), name
        setattr(owner, name, value)
    return settings


def play_games(
    game: str, settings: Any, num_games: int, *, net: Any = None, seed: int = 1, cache_entries: int = 0
) -> Columns:
    """The first games that a pool of one thread finishes, with those finished in the meantime."""
    pool = core_game(game).SelfPlayPool(
        settings, net, net_version=1, threads=1, cache_entries=cache_entries, seed=seed
    )
    try:
        parts = []
        while sum(len(part["winners"]) for part in parts) < num_games:
            parts.append(pool.take(1, 60.0))
            assert len(parts[-1]["winners"]), "a minute without a finished game"
    finally:
        pool.stop()
    return join(parts)


def join(parts: list[Columns]) -> Columns:
    """Columns of several takes as those of one."""
    offsets = {"game_offsets", "visit_offsets"}
    joined = {
        name: np.concatenate([part[name] for part in parts]) for name in parts[0] if name not in offsets
    }
    for name in offsets:
        lengths = np.concatenate([np.diff(part[name].astype(np.int64)) for part in parts])
        joined[name] = np.concatenate([[0], np.cumsum(lengths)])
    return joined


@dataclass(frozen=True)
class RecordedPosition:
    packed: bytes
    played: int
    flags: int
    visits: dict[int, int]
    root_value: float

    @property
    def is_full(self) -> bool:
        return bool(self.flags & PositionFlag.FULL_SEARCH)


def positions_of(columns: Columns, game_index: int) -> list[RecordedPosition]:
    first, end = columns["game_offsets"][game_index : game_index + 2]
    return [_position(columns, int(place)) for place in range(first, end)]


def _position(columns: Columns, place: int) -> RecordedPosition:
    start, end = columns["visit_offsets"][place : place + 2]
    moves = columns["visit_moves"][start:end].tolist()
    assert NO_MOVE not in moves
    assert len(set(moves)) == len(moves)
    return RecordedPosition(
        columns["packed"][place].tobytes(),
        int(columns["played_moves"][place]),
        int(columns["flags"][place]),
        dict(zip(moves, columns["visit_counts"][start:end].tolist(), strict=True)),
        float(columns["root_values_stm"][place]) / 32767.0,
    )


def game_moves(columns: Columns) -> list[bytes]:
    """The moves of each game, comparable."""
    ends = columns["game_offsets"]
    return [columns["played_moves"][a:b].tobytes() for a, b in pairwise(ends)]


def replay(game: str, columns: Columns, game_index: int) -> Iterator[tuple[CoreLine, RecordedPosition]]:
    """Each recorded position with the line of play that led there; the game must start at the beginning."""
    line = core_game(game).Line.start()
    for position in positions_of(columns, game_index):
        yield line, position
        line = line.play(line.move_from_bits(position.played))


def reason_of(columns: Columns, game_index: int) -> str:
    return str(_core.end_reason_names()[columns["end_reasons"][game_index]])
