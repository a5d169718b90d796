"""Games that a run has played, to step through: those that each stage keeps as text. Knows no live loop."""

import itertools
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast, get_args

from milton.errors import RequestError
from milton.records import GameRecord, read_games
from milton.rundir import RunDir
from milton.webapi.play_messages import Side
from milton.webapi.positions import replay
from milton.webapi.records import wire_record
from milton.webapi.run_messages import GameEntry, GameKind, GameList, ReplayGame

# Stages keep fewer; a file that somebody else put there must not cost minutes.
_MAX_GAMES = 100
_MAX_FILE_BYTES = 4 << 20
_STEMS: dict[GameKind, str] = {"selfplay": "games", "arena": "arena"}


def replay_of(game: GameRecord) -> ReplayGame:
    """A game of a shard, a match or a file."""
    record = wire_record(game)
    return ReplayGame(
        record=record,
        notation=replay(record).notation,
        players=list(game.players),
        winner=cast("Side | None", None if game.winner is None or game.winner < 0 else game.winner),
        result=game.result,
        end_reason=game.end_reason,
        values=[None if found is None else round(found.value_first, 2) for found in game.evaluations],
    )


def list_games(run: RunDir, iteration: int) -> GameList:
    entries = [
        GameEntry(
            index=index,
            kind=kind,
            players=game.players,
            winner=game.winner,
            result=game.result,
            end_reason=game.end_reason,
            num_moves=len(game.record.moves),
        )
        for index, (kind, game) in enumerate(_games(run, iteration))
    ]
    return GameList(iteration=iteration, games=entries)


def find_game(run: RunDir, iteration: int, index: int) -> ReplayGame:
    games = [game for _, game in _games(run, iteration)]
    if index >= len(games):
        raise RequestError(
            f"iteration {iteration} has {len(games)} games to look at, not {index + 1}",
            status=404,
            hint="Choose one of the list.",
            where="index",
        )
    return games[index]


def _games(run: RunDir, iteration: int) -> Iterator[tuple[GameKind, ReplayGame]]:
    """Self-play games first; an iteration that is not there yet has none."""
    for kind in cast("tuple[GameKind, ...]", get_args(GameKind)):
        for ending in ("pgn", "jsonl"):
            path = run.iteration_dir(iteration) / f"{_STEMS[kind]}.{ending}"
            if run.holds(path):
                status = path.stat()
                yield from ((kind, game) for game in _read(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=32)
def _read(path: Path, _changed_ns: int, num_bytes: int) -> tuple[ReplayGame, ...]:
    """The games of a file; stage files are replaced as a whole, so time and size tell versions apart."""
    if num_bytes > _MAX_FILE_BYTES:
        raise RequestError(
            f"{path.name} has {num_bytes:,} bytes",
            status=404,
            hint="It is too large to show here.",
        )
    return tuple(map(replay_of, itertools.islice(read_games(path), _MAX_GAMES)))
