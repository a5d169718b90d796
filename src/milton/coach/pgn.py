"""Chess games of any PGN file as a block that the coach can read. Takes moves, results, values; no texts.

Values come from the file: Milton's own comments ({+0.12}, White's side, before the move) or [%eval] after it.
Games without them are valued by a network.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np
from numpy.typing import NDArray

from milton.errors import CoachError, MiltonError
from milton.games import GameSpec, Position
from milton.inference.sparse import SparseNetwork
from milton.replay import GameBlock, PositionFlag, offsets_of, quantize_values

_MAX_GAMES = 5_000
_OWN_COMMENT = re.compile(r"^\s*([+-]\d\.\d{1,3})\s*$")
# Lichess's fit of winning chances to centipawns (docs/coach.md).
_CHANCE_PER_CENTIPAWN = 0.00368208
_WINNERS = {"1-0": 0, "0-1": 1, "1/2-1/2": -1}


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
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            while len(games) < _MAX_GAMES and (found := chess.pgn.read_game(file)) is not None:
                game = _converted(found)
                num_skipped += game is None
                games += [game] if game is not None else []
    except OSError as error:
        raise CoachError(f"{path}: cannot be read: {error.strerror}") from error
    if not games:
        raise CoachError(f"{path}: no finished game of standard chess in it ({num_skipped} were left out)")
    return PgnGames(_block(games, network), num_skipped)


def _converted(found: chess.pgn.Game) -> _Game | None:
    result = found.headers.get("Result", "*")
    is_standard = found.headers.get("Variant", "Standard").lower() in ("standard", "chess", "from position")
    if found.errors or not is_standard or result not in _WINNERS or not found.variations:
        return None
    game = _Game([], [], [], [], _WINNERS[result])
    try:
        position = Position.from_fen(found.board().fen())
        after: float | None = None
        for node in found.mainline():
            own = _OWN_COMMENT.match(node.comment)
            before = float(own[1]) if own else after
            game.packed.append(position.pack())
            game.moves.append(position.line.move_bits(node.move.uci()))
            game.is_second.append(position.side_to_move == "second")
            game.values_white.append(before)
            after = _eval_value(node)
            position = position.play(node.move.uci())
    except MiltonError:
        return None
    return game


def _eval_value(node: chess.pgn.GameNode) -> float | None:
    score = node.eval()
    if score is None:
        return None
    white = score.white()
    if white.is_mate():
        return 1.0 if white > chess.engine.Cp(0) else -1.0
    return math.tanh(_CHANCE_PER_CENTIPAWN / 2 * white.score(mate_score=100_000))


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
