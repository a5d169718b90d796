"""A game as PettingZoo's two agents in turn, with action masks. Knows no learning method."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from milton.extras import missing_extra
from milton.games.environments.gym_env import Action
from milton.games.environments.spaces import action_mask_of, move_of, observation_of, observation_space
from milton.games.outcome import SIDES
from milton.games.position import Position
from milton.games.spec import GameSpec

try:
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing_extra("lab", "a PettingZoo environment") from error


AGENTS = ("player_0", "player_1")  # in the order of SIDES


class GameAEC(AECEnv[str, dict[str, NDArray[Any]], Action | None]):  # type: ignore[misc]  # it has no types
    """`player_0` moves first. Illegal actions raise IllegalMoveError; actions may be texts."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "render_fps": 1,
        "name": "milton_v0",
        "is_parallelizable": False,
    }

    def __init__(self, game: str = "chess", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        num_actions = GameSpec.of(game).num_actions
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": observation_space(game),
                "action_mask": gymnasium.spaces.Box(0, 1, (num_actions,), np.int8),
            }
        )
        # One object for each agent: PettingZoo seeds them apart.
        self._action_spaces = {agent: gymnasium.spaces.Discrete(num_actions) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:  # noqa: ARG002  (all see alike)
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete[np.int64]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Nothing here is random. `options={"position": TEXT}` starts from there."""
        del seed
        text = (options or {}).get("position")
        self._position = Position.start(self.game) if text is None else Position.from_text(self.game, text)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info() for agent in self.agents}
        self.agent_selection = AGENTS[self._position.line.side_to_move]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The planes of the side to move; only that agent has legal actions."""
        mask = action_mask_of(self._position)
        if agent != self.agent_selection or self._position.outcome(claim_draws=True) is not None:
            mask[:] = 0
        return {"observation": observation_of(self._position), "action_mask": mask}

    def step(self, action: Action | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._position = self._position.play(move_of(self._position, action))
        outcome = self._position.outcome(claim_draws=True)
        self._cumulative_rewards[agent] = 0.0
        for other, side in zip(AGENTS, SIDES, strict=True):
            self.rewards[other] = 0.0 if outcome is None else float(outcome.value(side))
            self.terminations[other] = outcome is not None
            self.infos[other] = self._info()
        self.agent_selection = AGENTS[self._position.line.side_to_move]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self._position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    @property
    def position(self) -> Position:
        return self._position

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "position": self._position.text,
            "legal_moves": self._position.legal_moves(),
        }
        return info | ({"fen": self._position.fen} if self.game == "chess" else {})
