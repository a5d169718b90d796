"""Ratings against outside engines and baselines, ladders and tournaments. Knows no training."""

from .anchors import anchors_of
from .catalog import Anchor, EngineEntry, find_program, installed_engines, load_catalog, parse_engine
from .external import EngineHungError, ExternalPlayer
from .game import Fault, PlayedGame, play_game
from .judge import Judge, Judgement
from .ladder import Rung, draw_ladder, ladder_fixtures, play_ladder, rate_ladder, read_rungs
from .limits import Clocks, MoveLimit
from .match import DEFAULT_OPPONENTS, Fixture, make_tasks, play_meetings
from .openings import is_balanced, random_openings
from .pgn import GameFile, pgn_text
from .players import RatedPlayer, open_player
from .report import MeetingRecord, is_void, rate_pool
from .roster import PlayerSpec, network_spec, parse_player, short_name
from .sources import PlayerSource, player_names, register_players
from .workers import PairTask, PlayedPair, num_cores, play_pair, play_pairs_in_processes

__all__ = [
    "DEFAULT_OPPONENTS",
    "Anchor",
    "Clocks",
    "EngineEntry",
    "EngineHungError",
    "ExternalPlayer",
    "Fault",
    "Fixture",
    "GameFile",
    "Judge",
    "Judgement",
    "MeetingRecord",
    "MoveLimit",
    "PairTask",
    "PlayedGame",
    "PlayedPair",
    "PlayerSource",
    "PlayerSpec",
    "RatedPlayer",
    "Rung",
    "anchors_of",
    "draw_ladder",
    "find_program",
    "installed_engines",
    "is_balanced",
    "is_void",
    "ladder_fixtures",
    "load_catalog",
    "make_tasks",
    "network_spec",
    "num_cores",
    "open_player",
    "parse_engine",
    "parse_player",
    "pgn_text",
    "play_game",
    "play_ladder",
    "play_meetings",
    "play_pair",
    "play_pairs_in_processes",
    "player_names",
    "random_openings",
    "rate_ladder",
    "rate_pool",
    "read_rungs",
    "register_players",
    "short_name",
]
