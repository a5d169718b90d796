"""A game as it was played, and its text: PGN for chess, JSON lines for every game. Knows no shards."""

from .evaluation import Evaluation
from .files import GameFile, games_suffix, read_games, read_games_text, write_games
from .json_lines import from_fields, json_line, read_json_lines, to_fields
from .pgn_reader import parse_pgn, read_pgn
from .pgn_writer import pgn_text
from .record import ANNOTATOR, RESULTS, GameRecord, Line, Ply, dated, today, winner_of

__all__ = [
    "ANNOTATOR",
    "RESULTS",
    "Evaluation",
    "GameFile",
    "GameRecord",
    "Line",
    "Ply",
    "dated",
    "from_fields",
    "games_suffix",
    "json_line",
    "parse_pgn",
    "pgn_text",
    "read_games",
    "read_games_text",
    "read_json_lines",
    "read_pgn",
    "to_fields",
    "today",
    "winner_of",
    "write_games",
]
