"""A game as one agent of Gymnasium sees it: the opponent moves inside `step`. Knows no learning method."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from milton.errors import ArgumentError, IllegalMoveError
from milton.games.environments.spaces import (
    LegalActions,
    action_mask_of,
    move_of,
    observation_of,
    observation_space,
)
from milton.games.outcome import SIDES, Outcome, Side
from milton.games.position import Position

Opponent = Callable[[Position, np.random.Generator], str]
Action = int | np.integer[Any] | str  # an action number, or a move as text
Info = dict[str, Any]


def random_opponent(position: Position, random: np.random.Generator) -> str:
    moves = position.legal_moves()
    return moves[int(random.integers(len(moves)))]


class GameEnv(gymnasium.Env[NDArray[np.float32], Action]):
    """Rewards +1 for a win of the agent, −1 for a loss, 0 else. Illegal actions raise IllegalMoveError.

    `info` has `action_mask`, `legal_moves` and `moves` (both as text: UCI in chess), `position` (the game's
    notation, for chess also as `fen`), and `end_reason` when the game is over.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  (as Gymnasium has it)

    def __init__(
        self,
        game: str = "chess",
        opponent: Opponent = random_opponent,
        side: Side = "first",
        render_mode: str | None = None,
    ) -> None:
        if side not in SIDES:
            raise ArgumentError(f"expected a side of {', '.join(SIDES)}, got {side!r}")
        self.game, self.side, self.opponent = game, side, opponent
        self.render_mode = render_mode
        self.observation_space = observation_space(game)
        self._actions = LegalActions(game)
        self.action_space = self._actions
        self._position = Position.start(game)
        self._moves: list[str] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """`options={"position": TEXT}` starts from there."""
        super().reset(seed=seed)
        text = (options or {}).get("position")
        self._position = Position.start(self.game) if text is None else Position.from_text(self.game, text)
        self._moves = []
        self._let_opponent_move()
        return observation_of(self._position), self._info()

    def step(self, action: Action) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        if self._outcome() is not None:
            raise IllegalMoveError(f"the game is over in {self._position.text!r}: reset it first")
        self._play(move_of(self._position, action))
        self._let_opponent_move()
        outcome = self._outcome()
        reward = 0.0 if outcome is None else float(outcome.value(self.side))
        return observation_of(self._position), reward, outcome is not None, False, self._info()

    def render(self) -> str | None:
        return str(self._position) if self.render_mode == "ansi" else None

    @property
    def position(self) -> Position:
        return self._position

    def _play(self, move: str) -> None:
        self._position = self._position.play(move)
        self._moves.append(move)

    def _let_opponent_move(self) -> None:
        while self._position.side_to_move != self.side and self._outcome() is None:
            self._play(self._position.parse(self.opponent(self._position, self.np_random)))
        over = self._outcome() is not None
        mask = action_mask_of(self._position)
        self._actions.legal_mask = np.zeros_like(mask) if over else mask

    def _outcome(self) -> Outcome | None:
        return self._position.outcome(claim_draws=True)

    def _info(self) -> Info:
        outcome = self._outcome()
        info: Info = {
            "position": self._position.text,
            "moves": list(self._moves),
            "legal_moves": [] if outcome else self._position.legal_moves(),
            "action_mask": self._actions.legal_mask.copy(),
        }
        if self.game == "chess":
            info["fen"] = self._position.fen
        if outcome is not None:
            info["end_reason"] = outcome.reason
        return info
