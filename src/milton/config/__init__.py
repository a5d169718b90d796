"""Settings as frozen models, read from TOML. Knows the names and limits of settings, not what they do."""

from .chapters import Chapter, settings_at
from .describe import FieldDescription, describe_fields
from .layers import (
    Assignment,
    LoadedSettings,
    default_search,
    load_settings,
    parse_override,
    read_toml,
    user_file,
)
from .profiles import PROFILES, default_profile
from .secret import Secret
from .settings import Settings
from .tables.arena import ArenaSettings
from .tables.base import GAME_NAMES, GameName
from .tables.cluster import ClusterSettings
from .tables.coach import CoachSettings
from .tables.lichess import LichessSettings
from .tables.loop import LoopSettings
from .tables.network import FAMILY_NAMES, FamilyName, NetworkSettings
from .tables.search import SearchSettings
from .tables.selfplay import SelfPlaySettings
from .tables.train import TrainSettings
from .toml_text import to_toml

__all__ = [
    "FAMILY_NAMES",
    "GAME_NAMES",
    "PROFILES",
    "ArenaSettings",
    "Assignment",
    "Chapter",
    "ClusterSettings",
    "CoachSettings",
    "FamilyName",
    "FieldDescription",
    "GameName",
    "LichessSettings",
    "LoadedSettings",
    "LoopSettings",
    "NetworkSettings",
    "SearchSettings",
    "Secret",
    "SelfPlaySettings",
    "Settings",
    "TrainSettings",
    "default_profile",
    "default_search",
    "describe_fields",
    "load_settings",
    "parse_override",
    "read_toml",
    "settings_at",
    "to_toml",
    "user_file",
]
