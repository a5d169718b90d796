"""run.sqlite: what happened in a run, in typed rows. Readers never block the writer (WAL). Knows no files."""

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from milton.errors import RunError

from .records import (
    Artifact,
    ChampionRecord,
    EventLevel,
    EventRecord,
    GamesRecord,
    MetricRecord,
    RatingRecord,
    StageRecord,
)

SCHEMA_VERSION = 1
NO_LIMIT = 2**62  # of iterations
_SCHEMA = """
CREATE TABLE IF NOT EXISTS stages (
    iteration INTEGER, stage TEXT, started_s REAL, finished_s REAL, artifacts TEXT, result TEXT,
    PRIMARY KEY (iteration, stage)
);
CREATE TABLE IF NOT EXISTS metrics (iteration INTEGER, name TEXT, value REAL, time_s REAL);
CREATE INDEX IF NOT EXISTS metrics_by_name ON metrics (name, iteration);
CREATE TABLE IF NOT EXISTS ratings (
    iteration INTEGER, kind TEXT, player TEXT, opponent TEXT, wins INTEGER, draws INTEGER, losses INTEGER,
    elo REAL, elo_low REAL, elo_high REAL, time_s REAL
);
CREATE TABLE IF NOT EXISTS events (
    iteration INTEGER, level TEXT, kind TEXT, message TEXT, action TEXT, time_s REAL
);
CREATE TABLE IF NOT EXISTS games (
    iteration INTEGER, kind TEXT, num_games INTEGER, num_positions INTEGER, first_wins INTEGER, draws INTEGER,
    second_wins INTEGER, num_distinct INTEGER, end_reasons TEXT, PRIMARY KEY (iteration, kind)
);
CREATE TABLE IF NOT EXISTS champions (iteration INTEGER, checkpoint TEXT, sha256 TEXT, time_s REAL);
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT);
"""


class RunDatabase:
    """Safe to use from several threads of one process; one writing process, any number of readers."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._depth = 0
        with self._explained():
            self._connection = _connect(path, writable=writable)
            self._check_version(writable=writable)

    def check(self) -> None:
        """Refuses a database whose pages are damaged."""
        problems = [row[0] for row in self._read("PRAGMA quick_check(3)")]
        if problems != ["ok"]:
            raise RunError(f"run database {str(self._path)!r}: is damaged ({'; '.join(problems)})")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All rows written inside become visible together, or none does. May be nested."""
        with self._lock, self._explained():
            if self._depth == 0:
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
        """Remembers a small JSON value under a name, for example the progress shown by `milton status`."""
        self._write("INSERT OR REPLACE INTO state VALUES (?, ?)", (key, json.dumps(value)))

    # Reading

    def version(self) -> tuple[int, int]:
        """(file, content): the second changes when another process commits, the first when it replaces the
        file; then this connection still reads the old one and must be opened anew."""
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
        return tuple(
            StageRecord(n, stage, started, finished, _artifacts(artifacts), json.loads(result))
            for n, stage, started, finished, artifacts, result in rows
        )

    def stage(self, iteration: int, stage: str) -> StageRecord | None:
        return next((record for record in self.stages(iteration) if record.stage == stage), None)

    def latest_iteration(self) -> int:
        """Highest iteration with a finished stage; 0 if there is none."""
        return int(self._read("SELECT COALESCE(MAX(iteration), 0) FROM stages")[0][0])

    def metrics(
        self, name: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[MetricRecord, ...]:
        where, arguments = ("", ()) if name is None else (" AND name = ?", (name,))
        query = f"SELECT * FROM metrics WHERE iteration BETWEEN ? AND ?{where} ORDER BY rowid"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(MetricRecord(*row) for row in rows)

    def latest_metrics(self) -> dict[str, float]:
        """The newest value of every metric."""
        query = (
            "SELECT name, value FROM metrics WHERE rowid IN (SELECT MAX(rowid) FROM metrics GROUP BY name)"
        )
        return dict(self._read(query))

    def ratings(
        self, kind: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[RatingRecord, ...]:
        where, arguments = ("", ()) if kind is None else (" AND kind = ?", (kind,))
        query = f"SELECT * FROM ratings WHERE iteration BETWEEN ? AND ?{where} ORDER BY rowid"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(RatingRecord(*row) for row in rows)

    def events(self, *, limit: int = 1000) -> tuple[EventRecord, ...]:
        """The newest events, oldest first."""
        rows = self._read("SELECT * FROM events ORDER BY rowid DESC LIMIT ?", (limit,))
        return tuple(EventRecord(*row) for row in reversed(rows))

    def games(
        self, kind: str | None = None, *, since_iteration: int = 0, until_iteration: int = NO_LIMIT
    ) -> tuple[GamesRecord, ...]:
        where, arguments = ("", ()) if kind is None else (" AND kind = ?", (kind,))
        query = f"SELECT * FROM games WHERE iteration BETWEEN ? AND ?{where} ORDER BY iteration"
        rows = self._read(query, (since_iteration, until_iteration, *arguments))
        return tuple(GamesRecord(*(*row[:-1], json.loads(row[-1]))) for row in rows)

    def champions(self) -> tuple[ChampionRecord, ...]:
        """All promotions, oldest first; the first is the network the run started from."""
        return tuple(ChampionRecord(*row) for row in self._read("SELECT * FROM champions ORDER BY rowid"))

    def state(self, key: str, default: Any = None) -> Any:
        rows = self._read("SELECT value FROM state WHERE key = ?", (key,))
        return json.loads(rows[0][0]) if rows else default

    # Plumbing

    def _write(self, statement: str, row: Sequence[Any]) -> None:
        with self._lock, self._explained():
            self._connection.execute(statement, row)

    def _read(self, query: str, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._explained():
            return self._connection.execute(query, arguments).fetchall()

    def _check_version(self, *, writable: bool) -> None:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and writable:
            self._connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        elif version != SCHEMA_VERSION:
            raise RunError(
                f"{str(self._path)!r} has schema version {version}, this program knows {SCHEMA_VERSION}; "
                "use the program that wrote it"
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise RunError(f"run database {str(self._path)!r}: {_advice(error)}") from error


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


def _artifacts(text: str) -> tuple[Artifact, ...]:
    return tuple(Artifact(*entry) for entry in json.loads(text))


def _advice(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "the disk is full; free some space and start again, nothing was lost"
    if name.startswith("SQLITE_IOERR"):
        return f"{error}; the disk is full or failing: free some space and start again, nothing was lost"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return f"cannot be used ({error}); check the folder's permissions or choose another with --run"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return f"is damaged ({error})"
    return str(error)
