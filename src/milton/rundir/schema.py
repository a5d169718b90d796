"""The tables of run.sqlite, and whether a database has these and nothing else. Knows no rows."""

import sqlite3
from functools import cache

SCHEMA_VERSION = 1
SCHEMA = """
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


def schema_problem(connection: sqlite3.Connection) -> str:
    """What is wrong with the tables of a database; "" if nothing is.

    A run may come from anybody, and a schema is a program: a view can take the place of a table and never
    end, a trigger can delete what is written.
    """
    found, expected = _objects(connection), _expected()
    odd = sorted(found - expected) + sorted(expected - found)
    return f"{odd[0][0]} {odd[0][1][:80]!r} is not as a run has it" if odd else ""


@cache
def _expected() -> frozenset[tuple[str, str, str]]:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(SCHEMA)
        objects = _objects(connection)
    connection.close()
    return objects


def _objects(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    """(type, name, SQL without blanks) of everything but what SQLite makes by itself."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset((str(kind), str(name), "".join(str(sql).split())) for kind, name, sql in rows)
