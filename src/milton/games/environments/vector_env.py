"""Many games stepped together as Gymnasium's VectorEnv. The caller moves for both sides of every game.

A game that ended shows its last position; the next step restarts it and ignores its action (Gymnasium's
NEXT_STEP mode).
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from milton.games.environments.spaces import observation_space, planes_last
from milton.games.vector import VectorGames

Info = dict[str, Any]


class GameVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Rewards are for the side that moved. `info["legal_actions"]` is [N, max_moves], padded with −1."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, game: str, num_envs: int = 1, *, max_plies: int = 0, seed: int = 0) -> None:
        self.games = VectorGames(game, num_envs, max_plies=max_plies, seed=seed)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(self.games.spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """One seed is for all games: only `sample_actions` is random."""
        del options
        if isinstance(seed, int):
            self.games.reseed(seed)
        self.games.restart()
        self._over[:] = False
        return self._observe(), self._info()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """IllegalMoveError names the first game with an illegal action."""
        renewed = self._over
        step = self.games.step(actions)
        if renewed.any():
            self.games.restart(renewed)
        terminated, truncated = step.terminated & ~renewed, step.truncated & ~renewed
        self._over = terminated | truncated
        return self._observe(), step.rewards, terminated, truncated, self._info()

    def sample_actions(self) -> NDArray[np.int32]:
        """A random legal action of each game."""
        return self.games.sample_actions()

    def action_masks(self) -> NDArray[np.int8]:
        """[N, actions]; large, so it is made only on request."""
        return self.games.action_masks()

    def _observe(self) -> NDArray[np.float32]:
        return planes_last(self.games.observe())

    def _info(self) -> Info:
        return {"legal_actions": self.games.legal_actions(), "side_to_move": self.games.sides_to_move()}
