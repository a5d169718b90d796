"""Games that a run has played, to step through: those that each stage keeps as text. Knows no live loop."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import cast, get_args

from milton.config import GameName
from milton.errors import RequestError
from milton.games import Position
from milton.replay import RecordedGame, read_json_lines
from milton.rundir import RunDir
from milton.webapi.pgn import PgnGame, read_games
from milton.webapi.play_messages import GameRecord, Side
from milton.webapi.positions import replay
from milton.webapi.run_messages import GameEntry, GameKind, GameList, ReplayGame

# Stages keep fewer; a file that somebody else put there must not cost minutes.
_MAX_GAMES = 100
_MAX_FILE_BYTES = 4 << 20
_STEMS: dict[GameKind, str] = {"selfplay": "games", "arena": "arena"}
_WINNERS: dict[str, Side | None] = {"1-0": 0, "0-1": 1, "1/2-1/2": None}


def replay_of(game: RecordedGame) -> ReplayGame:
    """A game of a shard or a match."""
    start = game.start if game.start != Position.start(game.game).text else None
    record = GameRecord(game=cast("GameName", game.game), start=start, moves=list(game.moves))
    end, notation = replay(record)
    first_to_move = (end.ply - len(game.moves)) % 2
    signs = [1 if (first_to_move + index) % 2 == 0 else -1 for index in range(len(game.moves))]
    return ReplayGame(
        record=record,
        notation=notation,
        players=[game.network, game.opponent or game.network],
        winner=cast("Side | None", None if game.winner < 0 else game.winner),
        result=game.result,
        end_reason=game.end_reason,
        values=[
            None if value is None else round(sign * value, 3)
            for sign, value in zip(signs, game.values_stm, strict=True)
        ],
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
    if path.suffix == ".pgn":
        return tuple(map(_from_pgn, read_games(path.read_text(encoding="utf-8"), _MAX_GAMES)))
    return tuple(replay_of(game) for _, game in zip(range(_MAX_GAMES), read_json_lines(path), strict=False))


def _from_pgn(game: PgnGame) -> ReplayGame:
    headers = game.headers
    result = headers.get("Result", "*")
    return ReplayGame(
        record=game.record,
        notation=replay(game.record)[1],
        players=[headers.get("White", "?"), headers.get("Black", "?")],
        winner=_WINNERS.get(result),
        result=result,
        end_reason=headers.get("Termination", ""),
        values=game.values,
    )
