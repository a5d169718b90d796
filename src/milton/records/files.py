"""Files of games, by their ending: .pgn for chess, .jsonl for every game."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from milton.errors import RecordError
from milton.gameinfo import game_info
from milton.rundir import explain_os_error, replacing

from .json_lines import json_line, read_json_lines
from .pgn_reader import read_pgn
from .pgn_writer import pgn_text
from .record import GameRecord

MAX_FILE_BYTES = 1 << 30


def games_suffix(game: str) -> str:
    """The ending of a file of games."""
    return ".pgn" if game_info(game).notation == "san" else ".jsonl"


def write_games(path: Path, games: Iterable[GameRecord]) -> int:
    """Replaces the file as a whole; returns the number of games."""
    if path.suffix not in (".pgn", ".jsonl"):
        raise RecordError(f"games are written to .pgn or .jsonl, got {str(path)!r}")
    to_text = pgn_text if path.suffix == ".pgn" else json_line
    num_games = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for game in games:
            file.write(to_text(game))
            num_games += 1
    return num_games


def read_games(path: Path) -> Iterator[GameRecord]:
    """The games of a file; RecordError says which of them cannot be read."""
    text = read_games_text(path)
    yield from (read_json_lines if path.suffix == ".jsonl" else read_pgn)(io.StringIO(text), path.name)


def read_games_text(path: Path) -> str:
    """UTF-8, or else Latin-1 as the PGN standard has it."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise RecordError(f"{path}: expected at most {MAX_FILE_BYTES:,} bytes; split the file")
        content = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


class GameFile:
    """A file that grows with every game, so that a stopped match leaves what was played."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        try:
            self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:
            raise explain_os_error(error, self._path) from error
        return self

    def add(self, record: GameRecord) -> None:
        assert self._file is not None
        try:
            self._file.write(pgn_text(record) if games_suffix(record.game) == ".pgn" else json_line(record))
            self._file.flush()
        except OSError as error:
            raise explain_os_error(error, self._path) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None:
            return
        try:
            self._file.close()
        except OSError as failure:
            if error is None:  # else it is the same, once more
                raise explain_os_error(failure, self._path) from failure
