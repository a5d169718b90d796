"""The games as environments of Gymnasium and PettingZoo (extra `lab`). Importing it registers the ids.

    import gymnasium, milton.games.environments
    env = gymnasium.make("milton/Chess-v0")                      # one agent against an opponent policy
    envs = make_vec("chess", 1024)                               # both sides, stepped together in the core
    aec = make_aec("santorini")                                  # PettingZoo, two agents in turn

Observations are the planes of the side to move, [height, width, planes]; actions are the core's numbers.
Knows no rules: everything is asked of the core.
"""

from typing import TYPE_CHECKING

from milton.extras import missing_extra

try:
    import gymnasium
except ImportError as error:
    raise missing_extra("lab", "milton.games.environments") from error

from milton.gameinfo import all_games
from milton.games.environments.gym_env import GameEnv, Opponent, random_opponent
from milton.games.environments.vector_env import GameVectorEnv

if TYPE_CHECKING:
    from milton.games.environments.aec_env import GameAEC

GYMNASIUM_IDS = {name: f"milton/{info.title.replace(' ', '')}-v0" for name, info in all_games().items()}

__all__ = [
    "GYMNASIUM_IDS",
    "GameEnv",
    "GameVectorEnv",
    "Opponent",
    "make_aec",
    "make_vec",
    "random_opponent",
]


def make_vec(game: str, num_envs: int, *, max_plies: int = 0, seed: int = 0) -> GameVectorEnv:
    """`num_envs` games stepped together; the caller moves for both sides."""
    return GameVectorEnv(game, num_envs, max_plies=max_plies, seed=seed)


def make_aec(game: str, render_mode: str | None = None) -> "GameAEC":
    """A PettingZoo environment with the agents `player_0`, who moves first, and `player_1`."""
    from milton.games.environments.aec_env import GameAEC  # Gymnasium alone is enough for the others

    return GameAEC(game, render_mode=render_mode)


for _game, _id in GYMNASIUM_IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="milton.games.environments.gym_env:GameEnv",
            vector_entry_point="milton.games.environments.vector_env:GameVectorEnv",
            kwargs={"game": _game},
        )
