"""Chooses moves within limits: time, levels, hot swap. Every door plays through Engine. Knows no protocol."""

from milton.play.champion import ChampionFollower
from milton.play.choice import Analysis, Candidate, Choice
from milton.play.engine import DEFAULT_MEMORY_MB, Engine
from milton.play.levels import (
    HIGHEST_LEVEL,
    LOWEST_LEVEL,
    Level,
    LevelTable,
    elo_range,
    find_level,
    level_for_elo,
    level_table,
)
from milton.play.limits import Clock, Limits, Sampling
from milton.play.network import (
    NO_NETWORK_WARNING,
    Network,
    OwnSearch,
    find_checkpoint,
    find_network,
    shipped_champion,
)
from milton.play.running import RunningSearch
from milton.play.score import Score, Wdl, centipawns, value_of
from milton.play.tree import TreeMove, TreeNode

__all__ = [
    "DEFAULT_MEMORY_MB",
    "HIGHEST_LEVEL",
    "LOWEST_LEVEL",
    "NO_NETWORK_WARNING",
    "Analysis",
    "Candidate",
    "ChampionFollower",
    "Choice",
    "Clock",
    "Engine",
    "Level",
    "LevelTable",
    "Limits",
    "Network",
    "OwnSearch",
    "RunningSearch",
    "Sampling",
    "Score",
    "TreeMove",
    "TreeNode",
    "Wdl",
    "centipawns",
    "elo_range",
    "find_checkpoint",
    "find_level",
    "find_network",
    "level_for_elo",
    "level_table",
    "shipped_champion",
    "value_of",
]
