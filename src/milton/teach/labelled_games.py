"""Games that a teacher labels move by move, as blocks for shards. Runs inside one process; writes no file.

A game begins with a few random moves and mostly follows the teacher; now and then a random move leads to
positions that good play would never show. It ends where a label would be useless: mate in sight, or an
evaluation beyond LARGEST_EVALUATION_CP.
"""

import functools
import random
from dataclasses import dataclass, field
from multiprocessing.util import Finalize

import numpy as np

from milton.games import GameSpec, Position
from milton.rating import Analyser, Analysis, PlayerSpec
from milton.replay import GameBlock, PositionFlag, offsets_of, quantize_values, quantize_wdl

from .labels import LARGEST_EVALUATION_CP, wdl_of_centipawns

_MOST_OPENING_PLIES = 10
_RANDOM_MOVE_RATE = 0.2
_LONGEST_GAME_PLIES = 240
# How labelled games end, beside the ends that the core names.
_DECIDED, _LONG = "decided_by_evaluation", "length"


@dataclass(frozen=True, slots=True)
class LabelTask:
    """Some games to be played and labelled."""

    teacher: PlayerSpec
    first_game: int
    num_games: int
    seed: int


@dataclass
class _LabelledGame:
    packed: list[bytes] = field(default_factory=list)
    best_moves: list[int] = field(default_factory=list)  # the core's move bits
    played_moves: list[int] = field(default_factory=list)
    wdl: list[tuple[float, float, float]] = field(default_factory=list)
    second_to_move: list[bool] = field(default_factory=list)
    winner: int = -1
    end_reason: str = _LONG


def label_games(task: LabelTask) -> GameBlock | None:
    """The labelled games; None if none of them had a position worth keeping."""
    teacher = _analyser(task.teacher)
    games, ids = [], []
    for number in range(task.first_game, task.first_game + task.num_games):
        game = _play(teacher, random.Random(f"{task.seed} {number}"))
        if game.packed:
            games.append(game)
            ids.append((task.seed << 40) + number)
    return _block(games, ids, task) if games else None


@functools.cache
def _analyser(teacher: PlayerSpec) -> Analyser:
    """The teacher of this process, kept from task to task: starting one takes longer than a game."""
    analyser = Analyser(teacher)
    Finalize(None, analyser.close, exitpriority=10)
    return analyser


def _play(teacher: Analyser, generator: random.Random) -> _LabelledGame:
    teacher.begin_game()
    game = _LabelledGame()
    position = Position.start("chess")
    num_opening_plies = generator.randint(0, _MOST_OPENING_PLIES)
    for ply in range(_LONGEST_GAME_PLIES):
        outcome = position.outcome(claim_draws=True)
        if outcome is not None:
            game.winner = -1 if outcome.winner is None else int(outcome.winner == "second")
            game.end_reason = outcome.reason
            break
        move = generator.choice(position.legal_moves())
        if ply >= num_opening_plies:
            analysis = teacher.analyse(position)
            centipawns = analysis.centipawns
            if centipawns is None or abs(centipawns) > LARGEST_EVALUATION_CP:
                game.end_reason = _DECIDED
                game.winner = _favourite(position, analysis)
                break
            if generator.random() >= _RANDOM_MOVE_RATE:
                move = analysis.move
            game.packed.append(position.pack())
            game.best_moves.append(position.line.move_bits(analysis.move))
            game.played_moves.append(position.line.move_bits(move))
            game.wdl.append(wdl_of_centipawns(centipawns))
            game.second_to_move.append(position.side_to_move == "second")
        position = position.play(move)
    return game


def _favourite(position: Position, analysis: Analysis) -> int:
    """Who is winning by evaluation or mate."""
    to_move = position.line.side_to_move
    return to_move if (analysis.centipawns or analysis.mate_in or 0) > 0 else 1 - to_move


def _block(games: list[_LabelledGame], ids: list[int], task: LabelTask) -> GameBlock:
    wdl = np.array([row for game in games for row in game.wdl])
    values = wdl[:, 0] - wdl[:, 2]
    num_positions = len(wdl)
    flags = np.full(num_positions, PositionFlag.FULL_SEARCH, dtype=np.uint8)
    second = np.array([side for game in games for side in game.second_to_move], dtype=bool)
    flags[second] |= np.uint8(PositionFlag.SECOND_TO_MOVE)
    reasons = tuple(sorted({game.end_reason for game in games}))
    packed = b"".join(row for game in games for row in game.packed)
    return GameBlock(
        game="chess",
        packed=np.frombuffer(packed, dtype=np.uint8).reshape(-1, GameSpec.of("chess").packed_bytes).copy(),
        game_offsets=offsets_of(np.array([len(game.packed) for game in games])),
        visit_offsets=offsets_of(np.ones(num_positions, dtype=np.int64)),
        visit_moves=np.array([bits for game in games for bits in game.best_moves], dtype=np.uint16),
        visit_counts=np.ones(num_positions, dtype=np.uint16),
        root_values_stm=quantize_values(values),
        root_wdl=quantize_wdl(values, wdl[:, 1]),
        played_moves=np.array([bits for game in games for bits in game.played_moves], dtype=np.uint16),
        flags=flags,
        winners=np.array([game.winner for game in games], dtype=np.int8),
        end_reasons=np.array([reasons.index(game.end_reason) for game in games], dtype=np.uint8),
        game_ids=np.array(ids, dtype=np.uint64),
        seeds=np.full(len(games), task.seed, dtype=np.uint64),
        network_indices=np.zeros(len(games), dtype=np.uint16),
        network_names=(task.teacher.name,),
        end_reason_names=reasons,
        teachers=(task.teacher.name,),
    )
