"""Leaves of search trees -> what the core wants to know of them, whatever heads and viewpoint the net has."""

import numpy as np

from milton.games import GameSpec, core_game
from milton.inference.evaluator import Evaluation, Evaluator, Float32Array
from milton.nets.inputs import PackedPositions


def evaluate_leaves(
    evaluator: Evaluator, packed: PackedPositions, max_batch: int = 0
) -> tuple[Float32Array, Float32Array]:
    """Policy logits [N, actions] and win/draw/loss [N, 3] seen by the side to move.

    More than `max_batch` positions (0: no limit) are evaluated one batch after the other.
    """
    size = max_batch or len(packed)
    parts = [
        _evaluate(evaluator, packed[start : start + size]) for start in range(0, max(1, len(packed)), size)
    ]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def _evaluate(evaluator: Evaluator, packed: PackedPositions) -> tuple[Float32Array, Float32Array]:
    evaluation = evaluator.evaluate_packed(packed)
    spec = evaluator.description.spec
    return policy_logits(evaluation, spec, len(packed)), _wdl_stm(evaluation, evaluator, packed)


def policy_logits(evaluation: Evaluation, spec: GameSpec, count: int) -> Float32Array:
    """[count, actions]; networks without a policy prefer no move."""
    if evaluation.policy_logits is None:
        return np.zeros((count, spec.num_actions), np.float32)
    return np.ascontiguousarray(evaluation.policy_logits, np.float32)


def _wdl_stm(evaluation: Evaluation, evaluator: Evaluator, packed: PackedPositions) -> Float32Array:
    if evaluation.wdl is not None:
        return np.ascontiguousarray(evaluation.wdl, np.float32)
    value = evaluation.value.astype(np.float32)
    if evaluator.viewpoint == "first_player":
        value = value * sides_to_move(evaluator.description.spec.name, packed)
    wdl = np.zeros((len(value), 3), np.float32)
    wdl[:, 0], wdl[:, 2] = (1 + value) / 2, (1 - value) / 2
    return wdl


def sides_to_move(game: str, packed: PackedPositions) -> Float32Array:
    """+1 where the first player is to move, −1 elsewhere."""
    line = core_game(game).Line
    sides = [line.unpack(row.tobytes()).side_to_move for row in packed]
    return np.array([1 - 2 * side for side in sides], np.float32)
