"""Settings as frozen models, read from TOML. Knows the names and limits of settings, not what they do."""

from milton.gameinfo import GAME_NAMES

from .chapters import fresh_starts_at, settings_at
from .describe import FieldDescription, describe_fields
from .failure_log import log_failure
from .layers import (
    Assignment,
    LoadedSettings,
    default_search,
    load_settings,
    parse_override,
    read_toml,
    user_file,
)
from .model_file import read_model
from .personal import PERSONAL_KEYS, check_address, is_loopback, is_private_line
from .profiles import PROFILES, default_profile
from .renamed import current_profile
from .secret import Secret
from .seeds import derive_seed, unrelated_seed
from .settings import Settings
from .tables.arena import ArenaSettings
from .tables.base import GameName
from .tables.chapter import Chapter
from .tables.cluster import ClusterSettings
from .tables.coach import CoachSettings
from .tables.core_table import fill_core
from .tables.lichess import LichessSettings
from .tables.loop import LoopSettings
from .tables.milestones import MilestoneSettings
from .tables.network import FAMILY_NAMES, FamilyName, NetworkSettings
from .tables.search import Algorithm, SearchSettings
from .tables.selfplay import PracticeSource, SelfPlaySettings
from .tables.train import TrainSettings
from .toml_text import to_toml

__all__ = [
    "FAMILY_NAMES",
    "GAME_NAMES",
    "PERSONAL_KEYS",
    "PROFILES",
    "Algorithm",
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
    "MilestoneSettings",
    "NetworkSettings",
    "PracticeSource",
    "SearchSettings",
    "Secret",
    "SelfPlaySettings",
    "Settings",
    "TrainSettings",
    "check_address",
    "current_profile",
    "default_profile",
    "default_search",
    "derive_seed",
    "describe_fields",
    "fill_core",
    "fresh_starts_at",
    "is_loopback",
    "is_private_line",
    "load_settings",
    "log_failure",
    "parse_override",
    "read_model",
    "read_toml",
    "settings_at",
    "to_toml",
    "unrelated_seed",
    "user_file",
]
