"""Games that a teacher labels move by move, as blocks for shards. Runs inside one process; writes no file.

A game begins with a few random moves and mostly follows the teacher; now and then a random move leads to
positions that good play would never show. It ends where a label would be useless: mate in sight, or an
evaluation beyond LARGEST_EVALUATION_CP.
"""

import functools
import random
from dataclasses import dataclass
from multiprocessing.util import Finalize

from milton.games import Position
from milton.rating import Analyser, Analysis, PlayerSpec
from milton.replay import GameBlock

from .blocks import LabelledGame, block_of
from .labels import LARGEST_EVALUATION_CP, wdl_of_centipawns

_MOST_OPENING_PLIES = 10
_RANDOM_MOVE_RATE = 0.2
_LONGEST_GAME_PLIES = 240
# How labelled games end, besides the end reasons of the core.
_DECIDED = "decided_by_evaluation"


@dataclass(frozen=True, slots=True)
class LabelTask:
    """Some games to be played and labelled."""

    teacher: PlayerSpec
    first_game: int
    num_games: int
    seed: int


def label_games(task: LabelTask) -> GameBlock | None:
    """The labelled games; None if none of them had a position worth keeping."""
    teacher = _analyser(task.teacher)
    games, ids = [], []
    for number in range(task.first_game, task.first_game + task.num_games):
        game = _play(teacher, random.Random(f"{task.seed} {number}"))
        if game.packed:
            games.append(game)
            ids.append((task.seed << 40) + number)
    return block_of(games, ids, seed=task.seed, teacher=task.teacher.name) if games else None


@functools.cache
def _analyser(teacher: PlayerSpec) -> Analyser:
    """The teacher of this process, kept from task to task: starting one takes longer than a game."""
    analyser = Analyser(teacher)
    Finalize(None, analyser.close, exitpriority=10)
    return analyser


def _play(teacher: Analyser, generator: random.Random) -> LabelledGame:
    teacher.begin_game()
    game = LabelledGame()
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
