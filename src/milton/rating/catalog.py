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
_OPTION_WORD = re.compile(r"-([a-z]+)-(\d+)")


Protocol = Literal["uci", "xboard"]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StrengthOption(_Entry):
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
    strength_options: dict[str, StrengthOption] = {}
    shortest_movetime_s: float = 0.001
    note: str = ""


class Anchor(_Entry):
    """A rating that somebody published, with where and how it was measured."""

    player: str  # without its limit
    limits: tuple[LimitKind, ...]  # kinds of limits under which the figure may be used
    elo: float
    margin: float | None = None  # 95 %, as published; None: the list does not say
    scale: str
    worth: Literal["good", "medium"] = "good"  # good: the list's own figure for this very version
    source: str


class EnginePool(_Entry):
    """Opponents that together make a scale."""

    about: str
    engines: tuple[str, ...] = Field(min_length=1)


class Catalog(_Entry):
    engines: dict[str, EngineEntry]
    anchors: tuple[Anchor, ...] = ()
    pools: dict[str, EnginePool] = {}


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
            f"engine {name!r} is not installed: found no {wanted!r}; on Debian: {install_command(name)}"
        )
    return [str(program), *load_catalog().engines[name].command[1:]]


def install_command(*names: str) -> str:
    """How Debian installs engines of the catalog: packages are named after their program."""
    programs = [load_catalog().engines[name].command[0] for name in names]
    return f"apt-get install {' '.join(programs)}"


def find_pool(name: str) -> EnginePool:
    pools = load_catalog().pools
    if name not in pools:
        raise ArgumentError(f"no pool {name!r}; there are {', '.join(pools)}")
    return pools[name]


def installed_engines() -> tuple[str, ...]:
    return tuple(name for name in load_catalog().engines if find_program(name) is not None)


class EngineChoice(_Entry):
    """An engine of the catalog with its strength options set and its limit."""

    engine: str
    options: dict[str, str | int | bool]
    limit: MoveLimit
    name: str  # always with the limit: a rating without one says nothing


def parse_engine(text: str, default_limit: MoveLimit | None = None) -> EngineChoice:
    """`stockfish-skill-2@movetime:0.01`, `stockfish-nodes-100`, `toga2`: engine, strength options, limit.

    The limit is the one named, else `default_limit` if the engine can obey it, else the catalog's.
    """
    stem, _, limit_text = text.partition("@")
    name = catalog_name(stem)
    if name is None:
        raise ArgumentError(f"no opponent {text!r}; engines are {', '.join(load_catalog().engines)}")
    entry = load_catalog().engines[name]
    strengths = stem[len(name) :]
    found = _OPTION_WORD.findall(strengths)
    if "".join(f"-{word}-{number}" for word, number in found) != strengths:
        raise ArgumentError(f"{text!r}: expected -word-number after {name!r}, got {strengths!r}")
    options = dict(entry.options)
    limit = MoveLimit.parse(limit_text) if limit_text else None
    kept = ""
    for word, number in found:
        if word in ("nodes", "depth") and limit is None:
            limit = MoveLimit.parse(f"{word}:{number}")
        else:
            options |= _set_strength(text, entry, word, int(number))
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


def catalog_name(stem: str) -> str | None:
    """The engine that this names, with or without strength options; None if there is none."""
    fitting = [name for name in load_catalog().engines if stem == name or stem.startswith(f"{name}-")]
    return max(fitting, key=len, default=None)


def _set_strength(text: str, entry: EngineEntry, word: str, number: int) -> dict[str, int]:
    strength = entry.strength_options.get(word)
    if strength is None:
        known = ", ".join(("nodes", "depth", *entry.strength_options))
        raise ArgumentError(f"{text!r}: no strength option {word!r}; this engine has {known}")
    if not strength.low <= number <= strength.high:
        raise ArgumentError(f"{text!r}: expected {word} from {strength.low} to {strength.high}, got {number}")
    return {strength.option: number}


def _obeys(entry: EngineEntry, limit: MoveLimit) -> bool:
    if limit.kind not in entry.limits:
        return False
    return limit.kind != "movetime" or limit.amount >= entry.shortest_movetime_s
