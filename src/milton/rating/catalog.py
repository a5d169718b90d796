"""The outside engines that Milton knows how to drive, and ratings that others published for them.

Everything particular to an engine is data (engines.toml), so that a new one needs no code. Starts no process.
"""

import re
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from milton.errors import ArgumentError, EngineError

from .limits import LimitKind, MoveLimit

# Debian keeps games out of the PATH of many accounts.
_EXTRA_FOLDERS = (Path("/usr/games"), Path("/usr/local/games"))
_DIAL = re.compile(r"-([a-z]+)-(\d+)")


Protocol = Literal["uci", "xboard"]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Dial(_Entry):
    """An option of the engine that opponents' names may set: `skill` in `stockfish-skill-2`."""

    option: str
    low: int
    high: int


class EngineEntry(_Entry):
    """How one program is started and what it understands."""

    command: tuple[str, ...] = Field(min_length=1)
    protocol: Protocol
    limits: tuple[LimitKind, ...]
    default_limit: str
    options: dict[str, str | int | bool] = {}
    dials: dict[str, Dial] = {}
    shortest_movetime_s: float = 0.001
    note: str = ""


class Anchor(_Entry):
    """A rating that somebody published, with where and how it was measured."""

    player: str  # without its limit
    limits: tuple[LimitKind, ...]  # kinds of limits under which the figure may be used
    elo: float
    margin: float  # 95 %, as published
    scale: str
    source: str


class Catalog(_Entry):
    engines: dict[str, EngineEntry]
    anchors: tuple[Anchor, ...] = ()


@cache
def load_catalog() -> Catalog:
    with (Path(__file__).parent / "engines.toml").open("rb") as file:
        return Catalog.model_validate(tomllib.load(file))


def find_program(name: str) -> Path | None:
    """Where an engine of the catalog is installed, or None."""
    program = load_catalog().engines[name].command[0]
    found = shutil.which(program) or shutil.which(program, path=":".join(map(str, _EXTRA_FOLDERS)))
    return Path(found) if found else None


def command_of(name: str) -> list[str]:
    """The command line of an engine; EngineError if it is not installed."""
    program = find_program(name)
    if program is None:
        wanted = load_catalog().engines[name].command[0]
        raise EngineError(
            f"engine {name!r} is not installed: found no {wanted!r}; on Debian: apt-get install {wanted}"
        )
    return [str(program), *load_catalog().engines[name].command[1:]]


def installed_engines() -> tuple[str, ...]:
    return tuple(name for name in load_catalog().engines if find_program(name) is not None)


class EngineChoice(_Entry):
    """An engine of the catalog with its dials set and its limit."""

    engine: str
    options: dict[str, str | int | bool]
    limit: MoveLimit
    name: str  # always with the limit: a rating without one says nothing


def parse_engine(text: str, default_limit: MoveLimit | None = None) -> EngineChoice:
    """`stockfish-skill-2@movetime:0.01`, `stockfish-nodes-100`, `toga2`: engine, dials, limit.

    The limit is the one named, else `default_limit` if the engine can obey it, else the catalog's.
    """
    stem, _, limit_text = text.partition("@")
    name = _longest_name(stem)
    if name is None:
        raise ArgumentError(f"no opponent {text!r}; engines are {', '.join(load_catalog().engines)}")
    entry = load_catalog().engines[name]
    dials = stem[len(name) :]
    found = _DIAL.findall(dials)
    if "".join(f"-{word}-{number}" for word, number in found) != dials:
        raise ArgumentError(f"{text!r}: expected -word-number after {name!r}, got {dials!r}")
    options = dict(entry.options)
    limit = MoveLimit.parse(limit_text) if limit_text else None
    kept = ""
    for word, number in found:
        if word in ("nodes", "depth") and limit is None:
            limit = MoveLimit.parse(f"{word}:{number}")
        else:
            options |= _set_dial(text, entry, word, int(number))
            kept += f"-{word}-{number}"
    if limit is None and default_limit is not None and _obeys(entry, default_limit):
        limit = default_limit
    limit = limit or MoveLimit.parse(entry.default_limit)
    if not _obeys(entry, limit):
        raise ArgumentError(
            f"{text!r}: {name} cannot play by {limit}; it understands {', '.join(entry.limits)}"
            + (f" of at least {entry.shortest_movetime_s:g} s" if limit.kind == "movetime" else "")
        )
    return EngineChoice(engine=name, options=options, limit=limit, name=f"{name}{kept}@{limit}")


def _longest_name(stem: str) -> str | None:
    fitting = [name for name in load_catalog().engines if stem == name or stem.startswith(f"{name}-")]
    return max(fitting, key=len, default=None)


def _set_dial(text: str, entry: EngineEntry, word: str, number: int) -> dict[str, int]:
    dial = entry.dials.get(word)
    if dial is None:
        known = ", ".join(("nodes", "depth", *entry.dials))
        raise ArgumentError(f"{text!r}: no dial {word!r}; this engine has {known}")
    if not dial.low <= number <= dial.high:
        raise ArgumentError(f"{text!r}: expected {word} from {dial.low} to {dial.high}, got {number}")
    return {dial.option: number}


def _obeys(entry: EngineEntry, limit: MoveLimit) -> bool:
    if limit.kind not in entry.limits:
        return False
    return limit.kind != "movetime" or limit.amount >= entry.shortest_movetime_s
