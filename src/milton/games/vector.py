"""Many games of one kind stepped side by side in the core, as numpy arrays. Knows no learning library.

Every array that is returned is new; games that are over stand still until `restart`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from milton.gameinfo import game_info
from milton.games.core_types import core_game
from milton.games.position import Position
from milton.games.spec import GameSpec


def default_planes(game: str) -> str:
    """What environments and the lab's networks see of a game."""
    return game_info(game).encoder("mlp")


@dataclass(frozen=True, slots=True)
class Step:
    """What one step brought to N games."""

    rewards: NDArray[np.float32]  # [N] +1, 0 or −1, for the side that moved
    terminated: NDArray[np.bool_]  # [N] over by the rules, claimed draws included
    truncated: NDArray[np.bool_]  # [N] cut at max_plies

    @property
    def over(self) -> NDArray[np.bool_]:
        return self.terminated | self.truncated


class VectorGames:
    """`step` moves for the side to move in every game that is not over."""

    def __init__(
        self, game: str, num_games: int, *, max_plies: int = 0, encoder: str | None = None, seed: int = 0
    ) -> None:
        self.spec = GameSpec.of(game)
        self.encoder = encoder or default_planes(game)
        self._plane_shape = self.spec.plane_shape(self.encoder)
        self._core: Any = core_game(game).VectorGames(num_games, max_plies, seed)

    def __len__(self) -> int:
        return int(self._core.num_games)

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """IllegalMoveError names the first game whose action is illegal; then none has moved."""
        rewards = np.empty(len(self), np.float32)
        terminated, truncated = np.empty(len(self), np.uint8), np.empty(len(self), np.uint8)
        self._core.step(np.ascontiguousarray(actions, np.int32), rewards, terminated, truncated)
        return Step(rewards, terminated.view(np.bool_), truncated.view(np.bool_))

    def restart(self, which: NDArray[np.bool_] | None = None) -> None:
        """Restarts the chosen games; all of them if none is chosen."""
        mask = np.ones(len(self), np.bool_) if which is None else which
        self._core.restart(np.ascontiguousarray(mask, np.bool_).view(np.uint8))

    def reseed(self, seed: int) -> None:
        """Of `sample_actions`."""
        self._core.reseed(seed)

    def observe(self) -> NDArray[np.float32]:
        """[N, planes, height, width], seen by the side to move."""
        out = np.empty((len(self), *self._plane_shape), np.float32)
        self._core.observe(self.encoder, out)
        return out

    def legal_actions(self) -> NDArray[np.int32]:
        """[N, max_moves], padded with −1."""
        out = np.empty((len(self), self.spec.max_moves), np.int32)
        self._core.legal_actions(out)
        return out

    def action_masks(self) -> NDArray[np.int8]:
        """[N, actions], 1 where an action is legal. Large: prefer `legal_actions` in hot loops."""
        return masks_of(self.legal_actions(), self.spec.num_actions)

    def sample_actions(self) -> NDArray[np.int32]:
        """[N] a random legal action of each game; −1 where it is over."""
        out = np.empty(len(self), np.int32)
        self._core.sample_actions(out)
        return out

    def sides_to_move(self) -> NDArray[np.uint8]:
        """[N] 0 where the first player is to move, else 1."""
        out = np.empty(len(self), np.uint8)
        self._core.sides_to_move(out)
        return out

    def position(self, index: int) -> Position:
        return Position(self.spec.name, self._core.line(index))


def masks_of(legal_actions: NDArray[np.int32], num_actions: int) -> NDArray[np.int8]:
    """Padded lists of actions as masks [N, actions]."""
    masks = np.zeros((len(legal_actions), num_actions), np.int8)
    rows, slots = np.nonzero(legal_actions >= 0)
    masks[rows, legal_actions[rows, slots]] = 1
    return masks
