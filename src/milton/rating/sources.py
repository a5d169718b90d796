"""Players that come from rooms above this one: how they make themselves known. Knows none of them.

A room that has players calls `register_players` when it is imported; the doors that name players import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from .catalog import installed_engines

if TYPE_CHECKING:
    from .player_spec import PlayerSpec


class PlayerSource(Protocol):
    def parse(self, text: str, game: str) -> PlayerSpec | None:
        """None if the name is not one of its own; ArgumentError if it is and there is no such player."""

    def names(self, game: str) -> list[str]:
        """Players that could be chosen now."""


_sources: list[PlayerSource] = []


def register_players(source: PlayerSource) -> None:
    """Makes the source's players known wherever players are named."""
    _sources.append(source)


def player_sources() -> Sequence[PlayerSource]:
    return tuple(_sources)


def player_names(game: str) -> list[str]:
    """Names to choose an opponent from: baselines, engines that are installed, registered players."""
    own = ["random", "mcts-100", "mcts-1000", "uniform-1000"]
    chess = ["greedy", *installed_engines()] if game == "chess" else []
    return [*own, *chess, *(name for source in _sources for name in source.names(game))]
