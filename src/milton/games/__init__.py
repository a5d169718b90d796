"""Games as Python sees them: specs, positions, environments. The rules themselves live in the core."""

from milton.config import GAME_NAMES
from milton.games.core_types import CoreGame, CoreLine, core_game
from milton.games.outcome import SIDES, Outcome, Side
from milton.games.position import Position, divide, perft
from milton.games.spec import FeatureGroup, GameSpec, PlaneShape, SparseEncoder
from milton.games.vector import VectorGames

__all__ = [
    "GAME_NAMES",
    "SIDES",
    "CoreGame",
    "CoreLine",
    "FeatureGroup",
    "GameSpec",
    "Outcome",
    "PlaneShape",
    "Position",
    "Side",
    "SparseEncoder",
    "VectorGames",
    "core_game",
    "divide",
    "perft",
]
