"""Games as Python sees them: specs, positions, environments. The rules themselves live in the core."""

from milton.gameinfo import GAME_NAMES, GameInfo, game_info
from milton.games.core_types import CoreGame, CoreLine, core_game
from milton.games.outcome import SIDES, Outcome, Side
from milton.games.position import Position, divide, perft
from milton.games.spec import FeatureGroup, GameSpec, PlaneShape, SparseEncoder
from milton.games.value import MAX_CENTIPAWNS, centipawns_of, value_of, value_of_centipawns
from milton.games.vector import VectorGames

__all__ = [
    "GAME_NAMES",
    "MAX_CENTIPAWNS",
    "SIDES",
    "CoreGame",
    "CoreLine",
    "FeatureGroup",
    "GameInfo",
    "GameSpec",
    "Outcome",
    "PlaneShape",
    "Position",
    "Side",
    "SparseEncoder",
    "VectorGames",
    "centipawns_of",
    "core_game",
    "divide",
    "game_info",
    "perft",
    "value_of",
    "value_of_centipawns",
]
