"""Ratings against outside engines and baselines, ladders and tournaments. Knows no training."""

from .adjudication import Adjudicator, DrawRule, Referee, WinRule
from .analysis import Analyser, Analysis
from .anchors import anchors_of
from .catalog import (
    Anchor,
    EngineEntry,
    EnginePool,
    find_pool,
    find_program,
    install_command,
    installed_engines,
    load_catalog,
    parse_engine,
)
from .game import Fault, PlayedGame, play_game
from .journal import MatchJournal
from .ladder import (
    Rung,
    draw_ladder,
    kept_champions,
    ladder_fixtures,
    play_ladder,
    rate_champions,
    read_rungs,
)
from .limits import Clocks, MoveLimit
from .match import Fixture, MatchSetup, play_meetings
from .near import engines_near, middle_of, play_near
from .option_study import OptionStudy, StudyProgress, VariedOption
from .player_spec import CommonOptions, PlayerSpec, network_spec, parse_player, short_name, uci_spec
from .players import RatedPlayer, open_player, probe_player
from .report import MeetingRecord, is_void, rate_pool
from .screening import Effect, Factor, Screening, ScreeningFile, ScreeningProgress
from .sequential import SprtReport, play_sprt
from .setting_pairs import SettingGames
from .sources import PlayerSource, player_names, register_players
from .spsa import Parameter, Spsa, TuningFile
from .tuning import TuneProgress, Tuning
from .uci_player import EngineFacts, UciPlayer, probe_engine
from .uci_process import EngineHungError, UciProcess
from .workers import PairTask, PlayedPair, num_cores, play_pair, play_pairs_in_processes

__all__ = [
    "Adjudicator",
    "Analyser",
    "Analysis",
    "Anchor",
    "Clocks",
    "CommonOptions",
    "DrawRule",
    "Effect",
    "EngineEntry",
    "EngineFacts",
    "EngineHungError",
    "EnginePool",
    "Factor",
    "Fault",
    "Fixture",
    "MatchJournal",
    "MatchSetup",
    "MeetingRecord",
    "MoveLimit",
    "OptionStudy",
    "PairTask",
    "Parameter",
    "PlayedGame",
    "PlayedPair",
    "PlayerSource",
    "PlayerSpec",
    "RatedPlayer",
    "Referee",
    "Rung",
    "Screening",
    "ScreeningFile",
    "ScreeningProgress",
    "SettingGames",
    "SprtReport",
    "Spsa",
    "StudyProgress",
    "TuneProgress",
    "Tuning",
    "TuningFile",
    "UciPlayer",
    "UciProcess",
    "VariedOption",
    "WinRule",
    "anchors_of",
    "draw_ladder",
    "engines_near",
    "find_pool",
    "find_program",
    "install_command",
    "installed_engines",
    "is_void",
    "kept_champions",
    "ladder_fixtures",
    "load_catalog",
    "middle_of",
    "network_spec",
    "num_cores",
    "open_player",
    "parse_engine",
    "parse_player",
    "play_game",
    "play_ladder",
    "play_meetings",
    "play_near",
    "play_pair",
    "play_pairs_in_processes",
    "play_sprt",
    "player_names",
    "probe_engine",
    "probe_player",
    "rate_champions",
    "rate_pool",
    "read_rungs",
    "register_players",
    "short_name",
    "uci_spec",
]
