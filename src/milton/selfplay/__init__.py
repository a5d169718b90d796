"""The champion plays itself: checkpoint -> finished games. Knows no training and no run folder."""

from .core_settings import core_search_settings, core_selfplay_settings, noise_share
from .finished import FinishedGames
from .resign import NEVER, ResignCalibration
from .source import GameSource, open_source

__all__ = [
    "NEVER",
    "FinishedGames",
    "GameSource",
    "ResignCalibration",
    "core_search_settings",
    "core_selfplay_settings",
    "noise_share",
    "open_source",
]
