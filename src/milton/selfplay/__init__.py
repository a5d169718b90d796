"""The champion plays itself: checkpoint -> finished games. Knows no training and no run folder."""

from .core_settings import core_selfplay_settings, noise_share
from .counts import count_games
from .finished import FinishedGames
from .practice import PracticeStarts, WirePractice
from .record import PlayedGames, play_games, record_games
from .resign import NEVER, ResignCalibration
from .source import GameSource, PlayingNetwork, open_source

__all__ = [
    "NEVER",
    "FinishedGames",
    "GameSource",
    "PlayedGames",
    "PlayingNetwork",
    "PracticeStarts",
    "ResignCalibration",
    "WirePractice",
    "core_selfplay_settings",
    "count_games",
    "noise_share",
    "open_source",
    "play_games",
    "record_games",
]
