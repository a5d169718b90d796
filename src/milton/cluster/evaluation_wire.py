"""An evaluation on its way between machines: plain arrays, the policy for the legal moves only.

A chess network has 4,672 actions and a position some 35 legal moves: both ends ask the core which these
are, and a position costs a few hundred bytes instead of 19,000. Knows no Ray and no network.
"""

import numpy as np

from milton.errors import ClusterError
from milton.games import GameSpec
from milton.inference.evaluator import Evaluation, Float32Array
from milton.nets.inputs import PADDING, PackedPositions, encode_legal

# Policy logits [B, L] of the legal moves in generation order, or [B, actions] of all; value [B]; wdl [B, 3].
WireEvaluation = tuple[Float32Array | None, Float32Array, Float32Array | None]


def legal_to_wire(evaluation: Evaluation, spec: GameSpec, packed: PackedPositions) -> WireEvaluation:
    """L fits the position with the most moves; entries after a row's last legal move are padding."""
    logits = evaluation.policy_logits
    if logits is not None:
        actions, _ = encode_legal(spec, packed)
        logits = np.take_along_axis(logits, np.maximum(actions, 0), axis=1)
    return logits, evaluation.value, evaluation.wdl


def legal_from_wire(wire: WireEvaluation, spec: GameSpec, packed: PackedPositions) -> Evaluation:
    """Illegal actions get −inf. ClusterError if the arrays do not fit the positions."""
    logits, value, wdl = wire
    count = len(packed)
    if logits is None:
        return checked(Evaluation(None, value, wdl), spec, count)
    actions, _ = encode_legal(spec, packed)
    num_moves = actions.shape[1]
    if logits.ndim != 2 or len(logits) != count or logits.shape[1] < num_moves:
        raise ClusterError(
            f"expected policy logits of shape [{count}, {num_moves} or more], got {logits.shape}"
        )
    policy = np.full((count, spec.num_actions), -np.inf, np.float32)
    rows, columns = np.nonzero(actions != PADDING)
    policy[rows, actions[rows, columns]] = logits[rows, columns]
    return checked(Evaluation(policy, value, wdl), spec, count)


def checked(evaluation: Evaluation, spec: GameSpec, count: int) -> Evaluation:
    """The same evaluation, or ClusterError if it is not one of `count` positions of that game."""
    expected = {"policy_logits": (count, spec.num_actions), "value": (count,), "wdl": (count, 3)}
    for name, shape in expected.items():
        array = getattr(evaluation, name)
        is_missing = array is None and name != "value"
        if not is_missing and (array is None or array.dtype != np.float32 or array.shape != shape):
            got = "nothing" if array is None else f"{array.dtype}{array.shape}"
            raise ClusterError(f"expected {name} of float32{shape} from an inference server, got {got}")
    return evaluation
