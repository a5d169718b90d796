"""The pairs of a match on disk, so that a killed match can resume. Knows no statistics.

One JSON line describes the match, each further one holds a pair. A line is flushed to the disk before the
next pair counts; a line cut off by a kill or a full disk is dropped when the file is opened again.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from milton.errors import ArgumentError, RunError
from milton.records import from_fields, to_fields
from milton.rundir import explain_os_error
from milton.system import try_lock

from .game import Fault, PlayedGame

_VERSION = 1
PairKey = tuple[str, str, int]  # players A and B, index of the opening
GamePair = tuple[PlayedGame, PlayedGame]


class MatchJournal:
    """Opens or makes the file and holds a lock on it until `close`.

    `match` says everything that changes what a pair means. A file of another match is refused.
    """

    def __init__(self, path: Path, match: Mapping[str, object]) -> None:
        self.path = path
        self._keys: set[PairKey] = set()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise explain_os_error(error, path) from error
        try:
            self._lock()
            self._begin({"version": _VERSION, "match": json.loads(json.dumps(match))})
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            try_lock(self._file.fileno())
        except OSError as error:
            where = str(self.path)
            raise RunError(f"{where!r} is in use by another match; choose another file") from error

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: PairKey) -> bool:
        return key in self._keys

    def pairs(self) -> Iterator[tuple[PairKey, GamePair]]:
        """In the order in which they were played, read from the file: a long match does not fit in memory."""
        with self.path.open("rb") as file:
            next(file, b"")  # the header
            for line in file:
                yield _pair_of(json.loads(line))

    def add(self, key: PairKey, games: GamePair) -> None:
        self._keys.add(key)
        self._write({"players": key[:2], "opening": key[2], "games": [_stored_game(game) for game in games]})

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, header: dict[str, object]) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.splitlines()
        try:
            if not lines:
                # Nobody's file, or a header that a kill cut off. Another file is left as it is.
                if content and not json.dumps(header).encode().startswith(content):
                    raise ValueError("no header of a match")
                self._file.truncate(0)
                self._write(header)
                return
            stored = json.loads(lines[0])
            if not isinstance(stored, dict) or "match" not in stored:
                raise ValueError("no header of a match")
            self._check_header(stored, header)
            for line in lines[1:]:
                key, _ = _pair_of(json.loads(line))
                self._keys.add(key)
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, ArgumentError):
                raise
            where = f"after {len(self._keys)} pairs"
            raise RunError(f"{str(self.path)!r}: damaged {where}: {error}; choose another file") from error
        self._file.truncate(len(whole))  # the rest of a line that a kill cut off

    def _check_header(self, stored: dict[str, Any], header: dict[str, Any]) -> None:
        if stored.get("version") != _VERSION:
            raise ArgumentError(
                f"{str(self.path)!r}: expected version {_VERSION}, got {stored.get('version')!r}; "
                "choose another file"
            )
        before, now = stored["match"], header["match"]
        different = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        if different:
            changes = "; ".join(
                f"{name}: {before.get(name)!r} then, {now.get(name)!r} now" for name in different
            )
            raise ArgumentError(
                f"{str(self.path)!r} holds another match ({changes}); choose another file or delete this one"
            )

    def _write(self, value: object) -> None:
        try:
            self._file.write(json.dumps(value).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise explain_os_error(error, self.path) from error


def _pair_of(stored: dict[str, Any]) -> tuple[PairKey, GamePair]:
    first, second = (_game_of(game) for game in stored["games"])
    a, b = stored["players"]
    return (str(a), str(b), int(stored["opening"])), (first, second)


def _stored_game(game: PlayedGame) -> dict[str, Any]:
    return to_fields(game.record) | {
        "num_opening_plies": game.num_opening_plies,
        "think_time_s": game.think_time_s,
        "fault": None if game.fault is None else asdict(game.fault),
    }


def _game_of(stored: dict[str, Any]) -> PlayedGame:
    fault = stored["fault"]
    return PlayedGame(
        record=from_fields(stored),
        num_opening_plies=stored["num_opening_plies"],
        think_time_s=(stored["think_time_s"][0], stored["think_time_s"][1]),
        fault=None if fault is None else Fault(fault["side"], fault["kind"], fault["detail"]),
    )
