"""Names that settings had before: old files, run folders and command lines are still read, with a notice.

A rename is one entry of `RENAMED`; everything that reads settings goes through `with_current_names`.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from milton.errors import ConfigError

from .old_chapters import tables_of_texts
from .toml_text import toml_value

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Renamed:
    """An old "table.key"; `values` limits it to those old values and says what each is called now."""

    old: str
    new: str
    values: Mapping[Any, Any] | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """A "table.key" that is ignored."""

    old: str
    reason: str


_PROFILES = {
    "cpu": "chess-cpu",
    "reference": "chess-reference",
    "santorini": "santorini-reference",
    "quick": "any-game-quick",
}


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A "table.key" whose values have another form now.

    `convert` takes a value and where it was set, and returns None for a value of today's form.
    """

    old: str
    convert: Callable[[Any, str], Any]
    notice: str


RENAMED: tuple[Renamed | Removed | Rewritten, ...] = (
    Renamed("loop.profile", "loop.profile", _PROFILES),
    Renamed("selfplay.temperature_moves", "selfplay.temperature_plies"),
    Renamed("search.algorithm", "search.gumbel_root", {"puct": False, "gumbel": True}),
    Renamed("search.play_alphabeta", "search.algorithm", {True: "auto", False: "mcts"}),
    Rewritten("loop.chapters", tables_of_texts, "loop.chapters are tables now: [[loop.chapters]]"),
    Removed("train.fresh_starts", "a chapter says fresh_start = true"),
    Removed("selfplay.forced_playouts", "it cost strength wherever it was measured (docs/experiments.md)"),
)
OLD_NAMES: frozenset[str] = frozenset(change.old for change in RENAMED)


def with_current_names(flat: Mapping[str, Any], source: str) -> dict[str, Any]:
    """`flat` ("table.key" -> value) by today's names; renamed keys are reported in one line."""
    current, notices = _translate(flat, source)
    if notices:
        tell_once(f"{source}: {'; '.join(dict.fromkeys(notices))}")
    return current


def _translate(flat: Mapping[str, Any], source: str) -> tuple[dict[str, Any], list[str]]:
    """Today's names and values, and what to say about it."""
    current = dict(flat)
    notices: list[str] = []
    for change in RENAMED:
        if change.old not in current:
            continue
        old = current[change.old]
        if isinstance(change, Removed):
            del current[change.old]
            notices.append(f"{change.old} is ignored: {change.reason}")
        elif isinstance(change, Rewritten):
            if (converted := change.convert(old, source)) is not None:
                current[change.old] = converted
                notices.append(change.notice)
        elif change.values is None:
            _move(current, change, old, source)
            notices.append(f"{change.old} is called {change.new} now")
        elif isinstance(old, str | bool) and old in change.values:
            _move(current, change, change.values[old], source)
            before, after = toml_value(old), toml_value(change.values[old])
            notices.append(f"{change.old} = {before} is written {change.new} = {after} now")
    if isinstance(chapters := current.get("loop.chapters"), list):
        current["loop.chapters"] = [_translate_chapter(chapter, source, notices) for chapter in chapters]
    return current, notices


def _translate_chapter(chapter: Any, source: str, notices: list[str]) -> Any:
    """A chapter's changes by today's names; what is no chapter stays, to be refused."""
    if not isinstance(chapter, Mapping):
        return chapter
    tables = {table: entries for table, entries in chapter.items() if isinstance(entries, Mapping)}
    changes, told = _translate(
        {f"{table}.{key}": value for table, entries in tables.items() for key, value in entries.items()},
        source,
    )
    notices += told
    current: dict[str, Any] = {key: value for key, value in chapter.items() if key not in tables}
    for name, value in changes.items():
        table, _, key = name.partition(".")
        current.setdefault(table, {})[key] = value
    return current


def current_profile(name: str) -> str:
    """The present name of a profile; reports a rename."""
    if name in _PROFILES:
        tell_once(f"profile {name!r} is called {_PROFILES[name]!r} now")
    return _PROFILES.get(name, name)


def _move(current: dict[str, Any], change: Renamed, value: Any, source: str) -> None:
    if change.new != change.old and change.new in current:
        raise ConfigError(
            f"{source}: {change.old} is the old name of {change.new}, and both are set; remove {change.old}"
        )
    del current[change.old]
    current[change.new] = value


@cache
def tell_once(text: str) -> None:
    """A line on standard error, once in a process: the settings of a run are read many times."""
    _log.warning(text)
