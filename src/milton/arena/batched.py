"""A match with networks outside the core: leaves are gathered across games and evaluated for each player
together. The rules of the match are the core's, as for players inside."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from milton import _core
from milton.games import CoreLine, GameSpec, core_game
from milton.inference.evaluator import Evaluator
from milton.inference.leaves import evaluate_leaves

# Games at once: more fill larger batches but keep more trees in memory.
_GAMES_AT_ONCE = 128


class BatchedMatch:
    """Offers what the core's own Match does. A player without an evaluator is inside the core."""

    def __init__(
        self,
        game: str,
        nets: Sequence[_core.SparseNet | None],
        playout_plies: Sequence[int],
        evaluators: Sequence[Evaluator | None],
        settings: _core.MatchSettings,
        openings: Sequence[CoreLine],
        seed: int,
    ) -> None:
        self._spec = GameSpec.of(game)
        self._evaluators = tuple(evaluators)
        is_outside = [evaluator is not None for evaluator in evaluators]
        self._match = core_game(game).MatchBatch(
            *(nets[0], playout_plies[0], is_outside[0]),
            *(nets[1], playout_plies[1], is_outside[1]),
            settings,
            openings,
            seed,
            _GAMES_AT_ONCE,
        )
        self._is_stopped = False

    @property
    def num_played(self) -> int:
        return int(self._match.num_played)

    def run(self, threads: int) -> None:  # noqa: ARG002  (the evaluators have threads of their own)
        packed = np.empty((self._match.num_slots, self._spec.packed_bytes), np.uint8)
        players = np.empty(self._match.num_slots, np.uint8)
        self._is_stopped = False
        while not self._is_stopped:
            count = self._match.gather(packed, players)
            if count == 0:
                return
            self._match.apply(*self._evaluate(packed[:count], players[:count]))

    def stop(self) -> None:
        self._is_stopped = True

    def results(self) -> list[tuple[int, bool, int, str, list[str], list[float]]]:
        return list(self._match.results())

    def _evaluate(self, packed: Any, players: Any) -> tuple[Any, Any]:
        policy = np.empty((len(packed), self._spec.num_actions), np.float32)
        wdl = np.empty((len(packed), 3), np.float32)
        for player, evaluator in enumerate(self._evaluators):
            is_theirs = players == player
            if evaluator is not None and is_theirs.any():
                policy[is_theirs], wdl[is_theirs] = evaluate_leaves(evaluator, packed[is_theirs])
        return policy, wdl
