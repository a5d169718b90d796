"""Turns refused input into one ConfigError with file, table, key, value and what is allowed."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from milton.errors import ConfigError

from .describe import allowed_values, is_secret
from .settings import Settings
from .tables.chapter import Chapter

TABLE_TYPES: Mapping[str, type[BaseModel]] = {
    name: info.annotation
    for name, info in Settings.model_fields.items()
    if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel)
}
KEY_NAMES: tuple[str, ...] = tuple(
    f"{table}.{key}" for table, kind in TABLE_TYPES.items() for key in kind.model_fields
)
_MOST_SHOWN = 200  # characters of a value


def field_of(name: str) -> FieldInfo:
    """The field of "table.key"."""
    table, key = name.split(".")
    return TABLE_TYPES[table].model_fields[key]


def refuse_unknown(values: Mapping[str, Any], source: str) -> None:
    """Refuses tables and keys that do not exist, each with the nearest one that does."""
    problems: list[str] = []
    for table, entries in values.items():
        if table not in TABLE_TYPES:
            problems.append(_unknown_at_top(table, entries))
        elif not isinstance(entries, Mapping):
            problems.append(f"[{table}] must be a table, got {_shown(entries)}")
        else:
            problems += [
                unknown_key(f"{table}.{key}") for key in entries if key not in TABLE_TYPES[table].model_fields
            ]
    if problems:
        raise ConfigError(_join(source, problems))


def unknown_key(name: str) -> str:
    """Says that "table.key" does not exist, and which key was probably meant."""
    table, _, key = name.partition(".")
    if table not in TABLE_TYPES:
        return _unknown_at_top(table, {})
    elsewhere = [other for other in KEY_NAMES if other.split(".")[1] == key]
    if elsewhere:
        places = " or ".join(f"[{other.split('.')[0]}]" for other in elsewhere)
        return f"[{table}] unknown key {key!r}; it belongs to {places}"
    here = difflib.get_close_matches(key, TABLE_TYPES[table].model_fields, n=1, cutoff=0.6)
    if here:
        return f"[{table}] unknown key {key!r}; did you mean {here[0]!r}?"
    return f"[{table}] unknown key {key!r}; its keys are {', '.join(TABLE_TYPES[table].model_fields)}"


def _unknown_at_top(name: str, entries: object) -> str:
    if not isinstance(entries, Mapping):
        owners = [other.split(".")[0] for other in KEY_NAMES if other.split(".")[1] == name]
        if owners:
            return f"key {name!r} is outside a table; it belongs to [{' or '.join(owners)}]"
    near = difflib.get_close_matches(name, TABLE_TYPES, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the tables are {', '.join(TABLE_TYPES)}"
    return f"unknown table {name!r}; {hint}"


def refused(
    error: ValidationError, values: Mapping[str, Any], source_of: Callable[[str], str]
) -> ConfigError:
    """One error for everything that pydantic refused; `source_of` knows where "table.key" was set."""
    problems: dict[str, list[str]] = {}
    for detail in error.errors(include_url=False, include_input=False):
        source, problem = _explain(detail, values, source_of)
        if problem not in problems.setdefault(source, []):
            problems[source].append(problem)
    return ConfigError("; ".join(_join(source, lines) for source, lines in problems.items()))


def _explain(detail: Any, values: Mapping[str, Any], source_of: Callable[[str], str]) -> tuple[str, str]:
    location = [str(part) for part in detail["loc"]]
    reason = str(detail["msg"]).removeprefix("Value error, ")
    if len(location) < 2:  # a rule about several keys at once
        table = location[0] if location else ""
        sources = {
            source_of(name)
            for name in KEY_NAMES
            if table and name.startswith(f"{table}.") and name.split(".")[1] in reason
        }
        return ", ".join(sorted(sources)) or "settings", f"[{table}] {reason}" if table else reason
    table, key = location[:2]
    info = field_of(f"{table}.{key}")
    if len(location) > 2 and info.annotation == tuple[Chapter, ...]:
        return source_of(f"{table}.{key}"), _explain_chapter(detail, location[2:], reason)
    if detail["type"] == "text_with_nul":
        return source_of(f"{table}.{key}"), f"[{table}] {key} {reason}, got {_shown(values[table][key])}"
    shown = "a value that is not shown" if is_secret(info) else _shown(values[table][key])
    return source_of(f"{table}.{key}"), f"[{table}] {key} must be {allowed_values(info)}, got {shown}"


def _explain_chapter(detail: Any, location: list[str], reason: str) -> str:
    """`location` starts with the number of the chapter."""
    where = f"[loop] chapters, number {int(location[0]) + 1}"
    if len(location) == 1 or location[1] not in Chapter.model_fields:
        return f"{where}: {reason}" if detail["type"] == "value_error" else f"{where} must be a table"
    return f"{where}: {location[1]} must be {allowed_values(Chapter.model_fields[location[1]])}"


def _shown(value: object) -> str:
    """A refused value for people: it may be of any size and depth."""
    try:
        text = repr(value)
    except RecursionError:
        return "a value that is nested too deeply"
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _join(source: str, problems: Iterable[str]) -> str:
    text = "; ".join(problems)
    return f"{source}: {text}" if source else text
