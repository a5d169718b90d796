"""Labelled positions as blocks for shards. Knows neither engines nor tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from milton.games import GameSpec
from milton.replay import GameBlock, PositionFlag, offsets_of, quantize_values, quantize_wdl


@dataclass
class LabelledGame:
    """Positions that follow each other, each with what its teacher said."""

    packed: list[bytes] = field(default_factory=list)
    best_moves: list[int | None] = field(default_factory=list)  # the core's move bits; None: not told
    played_moves: list[int] = field(default_factory=list)
    wdl: list[tuple[float, float, float]] = field(default_factory=list)
    second_to_move: list[bool] = field(default_factory=list)
    winner: int = -1
    end_reason: str = "length"


def block_of(games: Sequence[LabelledGame], ids: Sequence[int], *, seed: int, teacher: str) -> GameBlock:
    """At least one game; ids are those of the games."""
    wdl = np.array([row for game in games for row in game.wdl])
    values = wdl[:, 0] - wdl[:, 2]
    best_moves = [move for game in games for move in game.best_moves]
    has_move = np.array([move is not None for move in best_moves], dtype=bool)
    flags = np.where(has_move, PositionFlag.FULL_SEARCH, 0).astype(np.uint8)
    second = np.array([side for game in games for side in game.second_to_move], dtype=bool)
    flags[second] |= np.uint8(PositionFlag.SECOND_TO_MOVE)
    reasons = tuple(sorted({game.end_reason for game in games}))
    packed = b"".join(row for game in games for row in game.packed)
    return GameBlock(
        game="chess",
        packed=np.frombuffer(packed, dtype=np.uint8).reshape(-1, GameSpec.of("chess").packed_bytes).copy(),
        game_offsets=offsets_of(np.array([len(game.packed) for game in games])),
        visit_offsets=offsets_of(has_move.astype(np.int64)),
        visit_moves=np.array([bits for bits in best_moves if bits is not None], dtype=np.uint16),
        visit_counts=np.ones(int(has_move.sum()), dtype=np.uint16),
        root_values_stm=quantize_values(values),
        root_wdl=quantize_wdl(values, wdl[:, 1]),
        played_moves=np.array([bits for game in games for bits in game.played_moves], dtype=np.uint16),
        flags=flags,
        winners=np.array([game.winner for game in games], dtype=np.int8),
        end_reasons=np.array([reasons.index(game.end_reason) for game in games], dtype=np.uint8),
        game_ids=np.array(ids, dtype=np.uint64),
        seeds=np.full(len(games), seed, dtype=np.uint64),
        network_indices=np.zeros(len(games), dtype=np.uint16),
        network_names=(teacher,),
        end_reason_names=reasons,
        teachers=(teacher,),
    )
