"""The games of a match as records. Judges nothing."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from milton.records import GameRecord, dated, write_games

from .match import MatchGame


def write_match(
    path: Path, game: str, a: str, b: str, games: Iterable[MatchGame], algorithm: str = "mcts"
) -> int:
    """Writes by the ending of `path`, .pgn or .jsonl; `a` and `b` name the players. Returns the number."""
    return write_games(path, dated(recorded_match(game, a, b, games, algorithm)))


def recorded_match(
    game: str, a: str, b: str, games: Iterable[MatchGame], algorithm: str = "mcts"
) -> Iterator[GameRecord]:
    for number, played in enumerate(games):
        yield GameRecord.of_moves(
            game,
            None,
            played.opening + played.moves,
            # The moves of the opening were drawn, not searched.
            values_stm=(None,) * len(played.opening) + played.values,
            winner=played.winner if played.a_moved_first or played.winner < 0 else 1 - played.winner,
            end_reason=played.end_reason,
            players=(a, b) if played.a_moved_first else (b, a),
            # Two games of one opening: 1.1, 1.2, 2.1, …
            tags={"Event": "match", "Round": f"{number // 2 + 1}.{number % 2 + 1}", "Algorithm": algorithm},
        )
