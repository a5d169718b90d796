"""The built-in profiles: TOML files next to this module, each listing only what differs from the defaults."""

import difflib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from milton.errors import ConfigError
from milton.gameinfo import GAME_NAMES, game_info

# Name -> what it is for; the first is the default.
PROFILES: dict[str, str] = {
    "chess-cpu": "chess on a CPU: sparse net, many fast games (the default)",
    "chess-reference": "chess with the reference settings: 10×128 tower, 100 games, 200 simulations",
    "santorini-reference": "Santorini with the reference settings: 8×256 tower, batched self-play",
    "santorini-cpu": "Santorini on a CPU: sparse net, many fast games",
    "connect-four-cpu": "Connect Four on a CPU: sparse net, many fast games",
    "any-game-quick": "a few tiny iterations of any game within a minute: a first look, and tests",
}


def default_profile(game: str) -> str:
    """The profile that a run of this game starts from when none is named."""
    if game not in GAME_NAMES:
        raise ConfigError(f"unknown game {game!r}; the games are {', '.join(GAME_NAMES)}")
    return game_info(game).default_profile


def profile_values(name: str) -> dict[str, Any]:
    """What a profile sets, as plain tables."""
    if name not in PROFILES:
        near = difflib.get_close_matches(name, PROFILES, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else f"the profiles are {', '.join(PROFILES)}"
        raise ConfigError(f"unknown profile {name!r}; {hint}")
    return tomllib.loads(_text(name))


@cache
def _text(name: str) -> str:
    return (files(__package__) / f"{name}.toml").read_text(encoding="utf-8")
