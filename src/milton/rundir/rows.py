"""Rows of run.sqlite become records, each value checked: a run may be damaged, or another's. Runs no SQL."""

import json
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import Any, TypeVar

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

Record = TypeVar("Record")
ROW_ERRORS = (ValueError, TypeError, RecursionError)  # a JSONDecodeError is a ValueError
MOST_ITERATIONS = 10**9
_LATEST_S = 2.0**37  # some four thousand years after 1970
_MOST = 10**15
# What SQLite and JSON may hand out for a field of a record, by the field's type.
_ALLOWED: dict[str, tuple[type, ...]] = {
    str(int): (int,),
    str(float): (int, float),
    str(str): (str,),
    str(EventLevel): (str,),
    str(tuple[Artifact, ...]): (tuple,),
    str(Mapping[str, Any]): (dict,),
    str(Mapping[str, int]): (dict,),
}
# Values that people and arithmetic rely on; NaN is within no bounds.
_BOUNDS: dict[str, float] = {
    "iteration": MOST_ITERATIONS,
    "started_s": _LATEST_S,
    "finished_s": _LATEST_S,
    "time_s": _LATEST_S,
    "num_games": _MOST,
    "num_positions": _MOST,
    "num_bytes": _MOST,
}


def decode(table: str, row: Sequence[Any]) -> Any:
    """A row as its record; one of ROW_ERRORS if it cannot be what was written."""
    return DECODERS[table](*row)


def is_like(value: Any, default: Any) -> bool:
    """Whether a value of the state has the type of its default."""
    kinds = (int, float) if isinstance(default, int | float) else (type(default),)
    return isinstance(value, kinds) and not (isinstance(value, float) and not math.isfinite(value))


def _checked(kind: type[Record], *values: Any) -> Record:
    """`kind(*values)`, each value of the type that its field declares."""
    record = kind(*values)
    for name, allowed in _layout(kind):  # type: ignore[arg-type]
        value = getattr(record, name)
        if not isinstance(value, allowed):
            raise TypeError(f"{name} must be {allowed[-1].__name__}, got {str(value)[:80]!r}")
        _check_bound(name, value)
    return record


def _check_bound(name: str, value: Any) -> None:
    if name in _BOUNDS and not 0 <= value <= _BOUNDS[name]:
        raise ValueError(f"{name} must be from 0 to {_BOUNDS[name]:,}, got {value}")


@cache
def _layout(kind: Hashable) -> tuple[tuple[str, tuple[type, ...]], ...]:
    return tuple((field.name, _ALLOWED[str(field.type)]) for field in fields(kind))  # type: ignore[arg-type]


def _stage(iteration: Any, stage: Any, started_s: Any, finished_s: Any, *texts: Any) -> StageRecord:
    artifacts, result = (json.loads(text) for text in texts)
    files = tuple(_checked(Artifact, *entry) for entry in artifacts)
    return _checked(StageRecord, iteration, stage, started_s, finished_s, files, result)


def _metric(iteration: Any, name: Any, value: Any, time_s: Any) -> MetricRecord:
    # SQLite keeps a NaN as NULL.
    return _checked(MetricRecord, iteration, name, math.nan if value is None else value, time_s)


def _games(*row: Any) -> GamesRecord:
    return _checked(GamesRecord, *row[:-1], json.loads(row[-1]))


def _state(key: Any, value: Any) -> tuple[str, Any]:
    return str(key), json.loads(value)


DECODERS: dict[str, Callable[..., Any]] = {
    "stages": _stage,
    "metrics": _metric,
    "ratings": partial(_checked, RatingRecord),
    "events": partial(_checked, EventRecord),
    "games": _games,
    "champions": partial(_checked, ChampionRecord),
    "state": _state,
}
