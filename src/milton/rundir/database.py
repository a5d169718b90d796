"""run.sqlite: what happened in a run, in typed rows. Readers never block the writer (WAL). Knows no files."""

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from milton.errors import RunError

from .records import (
    ChampionRecord,
    EventLevel,
    EventRecord,
    GamesRecord,
    MetricRecord,
    RatingRecord,
    StageRecord,
)
from .rows import DECODERS, LATEST_S, ROW_ERRORS, decode, is_like, usable_progress
from .schema import SCHEMA, SCHEMA_VERSION, schema_problem

NO_LIMIT = 2**62  # of iterations
# Names of state that other rooms read.
CREATED_KEY = "created_s"
PROGRESS_KEY = "progress"
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # of SQLite, also behind a super-journal's name
REPAIR_ADVICE = "`milton loop --run FOLDER` repairs it"


class DamagedDatabaseError(RunError):
    """Pages or rows that cannot be what this program wrote."""


class RunDatabase:
    """Safe to use from several threads of one process; one writing process, any number of readers."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._depth = 0
        if not writable and not path.exists():
            raise RunError(f"run database {str(path)!r} is missing; {REPAIR_ADVICE}")
        if _names_another_file(path.with_name(f"{path.name}-journal")):
            raise self._damaged("its journal names another file")
        with self._explained():
            self._connection = _connect(path, writable=writable)
            self._check_version(writable=writable)
        self._inode = path.stat().st_ino if writable else None

    @property
    def is_new(self) -> bool:
        """Whether there was nothing in the file, or no file, before it was opened."""
        return self._is_new

    def check(self) -> None:
        """Refuses a database whose pages are damaged."""
        problems = [str(row[0]) for row in self._read("PRAGMA quick_check(3)")]
        if problems != ["ok"]:
            raise self._damaged("; ".join(problems)[:500])

    def remove_damaged_rows(self, copy_to: Path) -> dict[str, int]:
        """Deletes rows that do not decode, after a copy was kept; returns how many of each table."""
        damaged = {table: self._damaged_rowids(table) for table in DECODERS}
        damaged = {table: rowids for table, rowids in damaged.items() if rowids}
        if damaged:
            with self._lock, self._explained(), sqlite3.connect(copy_to) as copy:
                self._connection.backup(copy)
            copy.close()
            with self.transaction():
                for table, rowids in damaged.items():
                    for rowid in rowids:
                        self._write(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
        return {table: len(rowids) for table, rowids in damaged.items()}

    def _damaged_rowids(self, table: str) -> list[int]:
        rowids = []
        for rowid, *row in self._read(f"SELECT rowid, * FROM {table}"):
            try:
                decode(table, row)
            except ROW_ERRORS:
                rowids.append(rowid)
        return rowids

    def _decoded(self, table: str, rows: Iterable[Sequence[Any]]) -> Iterator[Any]:
        for row in rows:
            try:
                yield decode(table, row)
            except ROW_ERRORS as error:
                first = str(error).splitlines()[0][:200]
                raise self._damaged(f"a row of {table} does not decode: {first}") from None

    def _damaged(self, problem: str) -> DamagedDatabaseError:
        return DamagedDatabaseError(
            f"run database {str(self._path)!r}: is damaged ({problem}); {REPAIR_ADVICE}"
        )

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All rows written inside become visible together, or none does. May be nested."""
        with self._lock, self._explained():
            if self._depth == 0:
                self._check_still_there()
                self._connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0 and self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._connection.execute("COMMIT")

    # Writing

    def add_stage(self, record: StageRecord) -> None:
        artifacts = json.dumps([[a.path, a.sha256, a.num_bytes] for a in record.artifacts])
        self._write(
            "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?, ?, ?)",
            (
                record.iteration,
                record.stage,
                record.started_s,
                record.finished_s,
                artifacts,
                json.dumps(dict(record.result)),
            ),
        )

    def forget_stages(self, iteration: int, stages: Sequence[str]) -> None:
        for stage in stages:
            self._write("DELETE FROM stages WHERE iteration = ? AND stage = ?", (iteration, stage))

    def add_metrics(self, iteration: int, values: Mapping[str, float], time_s: float | None = None) -> None:
        now = time.time() if time_s is None else time_s
        with self.transaction():
            for name, value in values.items():
                self._write("INSERT INTO metrics VALUES (?, ?, ?, ?)", (iteration, name, float(value), now))

    def add_rating(self, record: RatingRecord) -> None:
        r = record
        row = (
            r.iteration,
            r.kind,
            r.player,
            r.opponent,
            r.wins,
            r.draws,
            r.losses,
            r.elo,
            r.elo_low,
            r.elo_high,
        )
        self._write(
            "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, r.time_s or time.time())
        )

    def add_event(
        self, iteration: int, level: EventLevel, kind: str, message: str, *, action: str = ""
    ) -> EventRecord:
        event = EventRecord(iteration, level, kind, message, action, time.time())
        row = (iteration, level, kind, message, action, event.time_s)
        self._write("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", row)
        return event

    def add_games(self, record: GamesRecord) -> None:
        r = record
        row = (r.iteration, r.kind, r.num_games, r.num_positions, r.first_wins, r.draws, r.second_wins)
        reasons = json.dumps(dict(r.end_reasons))
        self._write(
            "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, r.num_distinct, reasons)
        )

    def add_champion(self, record: ChampionRecord) -> None:
        row = (record.iteration, record.checkpoint, record.sha256, record.time_s or time.time())
        self._write("INSERT INTO champions VALUES (?, ?, ?, ?)", row)

    def rename_champion(self, sha256: str, checkpoint: str) -> None:
        """The champion with this content lies elsewhere now."""
        self._write("UPDATE champions SET checkpoint = ? WHERE sha256 = ?", (checkpoint, sha256))

    def set_state(self, key: str, value: Any) -> None:
        """Remembers a small JSON value under a name, for example the progress that `milton status` shows."""
        self._write("INSERT OR REPLACE INTO state VALUES (?, ?)", (key, json.dumps(value)))

    # Reading

    def version(self) -> tuple[int, int]:
        """(file, content): the second changes when another process commits, the first when it replaces the
        file; then this connection still reads the old one and must be reopened."""
        try:
            inode = self._path.stat().st_ino
        except OSError as error:
            raise RunError(f"run database {str(self._path)!r}: {error.strerror}") from error
        return inode, int(self._read("PRAGMA data_version")[0][0])

    def stages(
        self, iteration: int | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[StageRecord, ...]:
        """Finished stages in the order they finished."""
        if iteration is not None:
            since_iteration = until_iteration = iteration
        query = "SELECT * FROM stages WHERE iteration BETWEEN ? AND ? ORDER BY iteration, finished_s, rowid"
        rows = self._read(query, (since_iteration, until_iteration))
        return tuple(self._decoded("stages", rows))

    def stage(self, iteration: int, stage: str) -> StageRecord | None:
        return next((record for record in self.stages(iteration) if record.stage == stage), None)

    def latest_iteration(self) -> int:
        """Highest iteration with a finished stage; 0 if there is none."""
        (newest,) = self._read("SELECT COALESCE(MAX(iteration), 0) FROM stages")[0]
        if not isinstance(newest, int):
            raise self._damaged("a row of stages has no number")
        return newest

    def metrics(
        self, name: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[MetricRecord, ...]:
        where, arguments = ("", ()) if name is None else (" AND name = ?", (name,))
        query = f"SELECT * FROM metrics WHERE iteration BETWEEN ? AND ?{where} ORDER BY rowid"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(self._decoded("metrics", rows))

    def latest_metrics(self) -> dict[str, float]:
        """The newest value of every metric."""
        query = "SELECT * FROM metrics WHERE rowid IN (SELECT MAX(rowid) FROM metrics GROUP BY name)"
        return {record.name: record.value for record in self._decoded("metrics", self._read(query))}

    def ratings(
        self, kind: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[RatingRecord, ...]:
        where, arguments = ("", ()) if kind is None else (" AND kind = ?", (kind,))
        query = f"SELECT * FROM ratings WHERE iteration BETWEEN ? AND ?{where} ORDER BY rowid"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(self._decoded("ratings", rows))

    def events(self, *, limit: int = 1000) -> tuple[EventRecord, ...]:
        """The newest events, oldest first."""
        rows = self._read("SELECT * FROM events ORDER BY rowid DESC LIMIT ?", (limit,))
        return tuple(self._decoded("events", reversed(rows)))

    def games(
        self, kind: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[GamesRecord, ...]:
        where, arguments = ("", ()) if kind is None else (" AND kind = ?", (kind,))
        query = f"SELECT * FROM games WHERE iteration BETWEEN ? AND ?{where} ORDER BY iteration"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(self._decoded("games", rows))

    def champions(self) -> tuple[ChampionRecord, ...]:
        """All promotions, oldest first; the first is the network the run started from."""
        return tuple(self._decoded("champions", self._read("SELECT * FROM champions ORDER BY rowid")))

    def state(self, key: str, default: Any = None) -> Any:
        rows = self._read("SELECT * FROM state WHERE key = ?", (key,))
        if not rows:
            return default
        _, value = next(self._decoded("state", rows))
        # A value that is never written means damage; treat it as missing.
        return value if default is None or is_like(value, default) else default

    @property
    def created_s(self) -> float:
        """When the run was made; 0 if unknown."""
        created_s = float(self.state(CREATED_KEY, 0.0))
        return created_s if 0.0 <= created_s <= LATEST_S else 0.0

    @property
    def progress(self) -> dict[str, Any]:
        """What the loop last said about itself; empty before it has said anything."""
        return usable_progress(self.state(PROGRESS_KEY, {}))

    # Plumbing

    def _write(self, statement: str, row: Sequence[Any]) -> None:
        with self._lock, self._explained():
            if self._depth == 0:
                self._check_still_there()
            self._connection.execute(statement, row)

    def _check_still_there(self) -> None:
        """A deleted file can still be written to, but the rows would be lost."""
        try:
            is_same = self._path.stat().st_ino == self._inode
        except OSError:
            is_same = False
        if not is_same and self._inode is not None:
            raise RunError(
                f"run database {str(self._path)!r} was removed or replaced while this process wrote to it; "
                "start again: its history is rebuilt from the other files of the run"
            )

    def _read(self, query: str, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._explained():
            return self._connection.execute(query, arguments).fetchall()

    def _check_version(self, *, writable: bool) -> None:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        num_objects = self._connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        self._is_new = bool(version == 0 and num_objects == 0)
        if self._is_new and writable:
            self._connection.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        elif self._is_new:
            raise self._damaged("it is empty")
        elif version != SCHEMA_VERSION:
            raise RunError(
                f"{str(self._path)!r} has schema version {version}, this program knows {SCHEMA_VERSION}; "
                "use the program that wrote it"
            )
        elif problem := schema_problem(self._connection):
            raise self._damaged(problem)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            is_damage = name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT"))
            kind = DamagedDatabaseError if is_damage else RunError
            raise kind(f"run database {str(self._path)!r}: {_advice(error)}") from error


def _names_another_file(journal: Path) -> bool:
    """Whether a rollback journal ends with the name of a super-journal, which SQLite deletes after it rolled
    back: a run from elsewhere could name any file. Runs never write such a name: they use one database."""
    try:
        with journal.open("rb") as file:
            file.seek(-len(_JOURNAL_MAGIC), os.SEEK_END)
            return file.read() == _JOURNAL_MAGIC
    except OSError:
        return False  # there is none, or it is too short to end with a name


def _connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    options = "mode=rwc" if writable else "mode=ro"
    if not writable and not os.access(path.parent, os.W_OK):
        options += "&immutable=1"  # WAL needs a folder it can write to; nobody else can write here either
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{options}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=30,
    )
    if writable:
        connection.execute("PRAGMA journal_mode = WAL")
        # FULL: a committed stage survives a power cut, not only the end of the process.
        connection.execute("PRAGMA synchronous = FULL")
    return connection


def _advice(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "the disk is full; free some space and start again, nothing was lost"
    if name.startswith("SQLITE_IOERR"):
        return f"{error}; the disk is full or failing: free some space and start again, nothing was lost"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return f"cannot be used ({error}); check the folder's permissions or choose another with --run"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return f"is damaged ({error}); {REPAIR_ADVICE}"
    return str(error)
