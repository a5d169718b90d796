"""The games of a match as people and other programs read them: PGN or JSON lines. Judges nothing."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from milton.games import Position
from milton.replay import RecordedGame, write_games

from .match import MatchGame


def write_match(path: Path, game: str, a: str, b: str, games: Iterable[MatchGame]) -> int:
    """Writes by the ending of `path`, .pgn or .jsonl; `a` and `b` name the players. Returns the number."""
    return write_games(path, recorded_match(game, a, b, games))


def recorded_match(game: str, a: str, b: str, games: Iterable[MatchGame]) -> Iterator[RecordedGame]:
    start = Position.start(game).text
    for number, played in enumerate(games):
        first, second = (a, b) if played.a_moved_first else (b, a)
        winner = played.winner if played.a_moved_first or played.winner < 0 else 1 - played.winner
        yield RecordedGame(
            game=game,
            start=start,
            moves=played.opening + played.moves,
            # The moves of the opening were drawn, not searched.
            values_stm=(None,) * len(played.opening) + played.values,
            winner=winner,
            end_reason=played.end_reason,
            network=first,
            game_id=number,
            opponent=second,
        )
