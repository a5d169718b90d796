"""Spaces that all environments share: planes to see, actions to take. Knows no game state."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from milton.games.position import Position
from milton.games.spec import GameSpec
from milton.games.vector import default_planes


def observation_space(game: str) -> gymnasium.spaces.Box[np.float32]:
    """[height, width, planes] of zeros and ones."""
    planes, height, width = GameSpec.of(game).plane_shape(default_planes(game))
    return gymnasium.spaces.Box(0.0, 1.0, (height, width, planes), np.float32)


def observation_of(position: Position) -> NDArray[np.float32]:
    return planes_last(position.planes(default_planes(position.game)))


def planes_last(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """[..., planes, height, width] seen as [..., height, width, planes]; nothing is copied."""
    return np.moveaxis(planes, -3, -1)


def action_mask_of(position: Position) -> NDArray[np.int8]:
    """[actions], 1 where an action is legal."""
    actions = [position.action_of(move) for move in position.legal_moves()]
    mask = np.zeros(position.spec.num_actions, np.int8)
    mask[actions] = 1
    return mask


def move_of(position: Position, action: int | np.integer[Any] | str) -> str:
    """The legal move of an action number or of a text; IllegalMoveError if there is none."""
    return position.parse(action) if isinstance(action, str) else position.move_of(int(action))


class LegalActions(gymnasium.spaces.Discrete[np.int64]):
    """All action numbers of a game, of which `sample` draws those that are legal now.

    `seed` restarts an experiment: until the environment is reset or stepped, samples are legal in the
    start position, which is where a seeded experiment begins.
    """

    def __init__(self, game: str) -> None:
        self._start_mask = action_mask_of(Position.start(game))
        self.legal_mask = self._start_mask
        super().__init__(GameSpec.of(game).num_actions)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        if mask is None and probability is None:
            mask = self.legal_mask
        return super().sample(mask, probability)

    def seed(self, seed: int | None = None) -> Any:
        self.legal_mask = self._start_mask
        return super().seed(seed)
