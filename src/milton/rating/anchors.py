"""Published ratings of the players in a pool. Knows no games; the figures and their sources are data."""

from collections.abc import Iterable

from .catalog import Anchor, load_catalog
from .player_spec import PlayerSpec


def anchors_of(players: Iterable[PlayerSpec]) -> dict[str, Anchor]:
    """The anchor of each player that has one, by the player's name in the pool."""
    found = {}
    for player in players:
        for anchor in load_catalog().anchors:
            if player.limit is None or player.name.partition("@")[0] != anchor.player:
                continue
            if player.limit.kind in anchor.limits:
                found[player.name] = anchor
    return found
