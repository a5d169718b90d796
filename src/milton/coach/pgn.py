"""Chess games of any PGN file as a block that the coach can read. Takes moves, results, values; no texts.

Values come from the file's evaluations. Games without them are valued by a network.
"""

import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from milton import records
from milton.errors import CoachError, RecordError
from milton.games import GameSpec
from milton.inference.sparse import SparseNetwork
from milton.replay import GameBlock, PositionFlag, offsets_of, quantize_values

_MAX_GAMES = 5_000
# Lichess's fit of winning chances to centipawns (docs/coach.md).
_CHANCE_PER_CENTIPAWN = 0.00368208


@dataclass(frozen=True, slots=True)
class PgnGames:
    block: GameBlock
    num_skipped: int  # variants, unfinished and unreadable games


@dataclass(slots=True)
class _Game:
    packed: list[bytes]
    moves: list[int]
    is_second: list[bool]
    values_white: list[float | None]  # before each move
    winner: int


def read_pgn(path: Path, network: SparseNetwork | None = None) -> PgnGames:
    """All finished games of standard chess; CoachError if there are none."""
    games: list[_Game] = []
    num_skipped = 0
    for found in records.parse_pgn(io.StringIO(records.read_games_text(path)), path.name):
        game = None if isinstance(found, RecordError) else _converted(found)
        num_skipped += game is None
        games += [game] if game is not None else []
        if len(games) == _MAX_GAMES:
            break
    if not games:
        raise CoachError(f"{path}: no finished game of standard chess in it ({num_skipped} were left out)")
    return PgnGames(_block(games, network), num_skipped)


def _converted(record: records.GameRecord) -> _Game | None:
    """None for an unfinished game."""
    if record.winner is None or not record.plies:
        return None
    game = _Game([], [], [], [], record.winner)
    for position, ply, evaluation in zip(record.positions(), record.plies, record.evaluations, strict=False):
        game.packed.append(position.pack())
        game.moves.append(position.line.move_bits(ply.move))
        game.is_second.append(position.side_to_move == "second")
        game.values_white.append(None if evaluation is None else _value(record, evaluation))
    return game


def _value(record: records.GameRecord, evaluation: records.Evaluation) -> float:
    """On our own curve where Milton wrote it, else on that of the file's likely source."""
    if record.has_own_values or evaluation.mate_in is not None:
        return evaluation.value_first
    return math.tanh(_CHANCE_PER_CENTIPAWN / 2 * evaluation.centipawns)


def _block(games: list[_Game], network: SparseNetwork | None) -> GameBlock:
    packed_bytes = GameSpec.of("chess").packed_bytes
    packed = np.frombuffer(b"".join(row for game in games for row in game.packed), dtype=np.uint8)
    packed = packed.reshape(-1, packed_bytes).copy()
    is_second = np.array([side for game in games for side in game.is_second])
    lengths = np.array([len(game.moves) for game in games])
    num_positions, num_games = len(packed), len(games)
    return GameBlock(
        game="chess",
        packed=packed,
        game_offsets=offsets_of(lengths),
        visit_offsets=np.zeros(num_positions + 1, dtype=np.uint32),
        visit_moves=np.empty(0, dtype=np.uint16),
        visit_counts=np.empty(0, dtype=np.uint16),
        root_values_stm=quantize_values(_values_stm(games, packed, is_second, network)),
        root_wdl=None,
        played_moves=np.array([bits for game in games for bits in game.moves], dtype=np.uint16),
        flags=np.where(is_second, np.uint8(PositionFlag.SECOND_TO_MOVE), np.uint8(0)),
        winners=np.array([game.winner for game in games], dtype=np.int8),
        end_reasons=np.zeros(num_games, dtype=np.uint8),
        game_ids=np.arange(num_games, dtype=np.uint64),
        seeds=np.zeros(num_games, dtype=np.uint64),
        network_indices=np.zeros(num_games, dtype=np.uint16),
        network_names=("player",),
        end_reason_names=("recorded",),
    )


def _values_stm(
    games: list[_Game], packed: NDArray[np.uint8], is_second: NDArray[np.bool_], network: SparseNetwork | None
) -> NDArray[np.floating]:
    # The first position of a game has no comment before it; any other gap makes the game one without values.
    has_values = [all(value is not None for value in game.values_white[1:]) for game in games]
    if not all(has_values) and network is None:
        raise CoachError(
            f"{has_values.count(False)} games carry no values; name a run or use a shipped champion"
        )
    given = np.array([value or 0.0 for game in games for value in game.values_white])
    values: NDArray[np.floating] = np.where(is_second, -given, given)
    if network is not None:
        wdl, _ = network.evaluate_packed(packed)
        is_given = np.repeat(has_values, [len(game.moves) for game in games])
        values = np.where(is_given, values, wdl[:, 0] - wdl[:, 2])
    return values
