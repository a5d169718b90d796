"""Rows of run.sqlite become records, each value checked: a run may be damaged, or another's. Runs no SQL."""

import json
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import Any, TypeVar, get_args

from milton.system import shown_text

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
# A JSONDecodeError is a ValueError; a result that is no object has no `get`.
ROW_ERRORS = (ValueError, TypeError, AttributeError, RecursionError)
MOST_ITERATIONS = 10**9
LATEST_S = 2.0**37  # some four thousand years after 1970
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
    "started_s": LATEST_S,
    "finished_s": LATEST_S,
    "time_s": LATEST_S,
    "num_games": _MOST,
    "num_positions": _MOST,
    "num_bytes": _MOST,
    "wins": _MOST,
    "draws": _MOST,
    "losses": _MOST,
    "first_wins": _MOST,
    "second_wins": _MOST,
    "num_distinct": _MOST,
}
# Of what a stage remembers: numbers that later stages count with.
_RESULT_COUNTS = ("positions", "games", "report", "trained", "challenged")
_NUMBER = (int, float)
# What a loop says of itself (state "progress"): the entries that others read, and the types of their values.
_PROGRESS: dict[str, tuple[type, ...]] = {
    "updated_s": _NUMBER,
    "num_iterations": _NUMBER,
    "num_positions": _NUMBER,
    "num_games": _NUMBER,
    "games_per_hour": _NUMBER,
    "simulations_per_s": _NUMBER,
    "positions_per_s": _NUMBER,
    "draw_rate": _NUMBER,
    "mean_plies": _NUMBER,
    "selfplay_share": _NUMBER,
    "memory_mb": _NUMBER,
    "processor_s": (*_NUMBER, type(None)),
    "elo_chained": (*_NUMBER, type(None)),
    "score_against_first": (*_NUMBER, type(None)),
    "workers": (list,),
}
_PROGRESS_STAGE: dict[str, tuple[type, ...]] = {
    "iteration": (int,),
    "name": (str,),
    "unit": (str,),
    "done": _NUMBER,
    "total": _NUMBER,
    "started_s": _NUMBER,
    "text": (str,),
    "share": _NUMBER,  # these two are missing in what older versions said
    "eta_s": (*_NUMBER, type(None)),
}
_PROGRESS_GAME: dict[str, tuple[type, ...]] = {
    "kind": (str,),
    "iteration": (int,),
    "number": (int,),
    "game": (dict,),
}


def decode(table: str, row: Sequence[Any]) -> Any:
    """A row as its record; one of ROW_ERRORS if it cannot be what was written."""
    return DECODERS[table](*row)


def is_like(value: Any, default: Any) -> bool:
    """Whether a value of the state has the type of its default, and a size that a loop may have written."""
    return _is_one_of(value, _NUMBER if isinstance(default, int | float) else (type(default),))


def read_json(text: Any) -> Any:
    """A value as it was written, its texts as `shown_text` has them; one of ROW_ERRORS if it is none."""
    return _shown(json.loads(text))


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return shown_text(value)
    if isinstance(value, list):
        return [_shown(entry) for entry in value]
    if isinstance(value, dict):
        return {shown_text(name): _shown(entry) for name, entry in value.items()}
    return value


def usable_progress(found: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that a loop may have written. The others are left out, as if it had not said them."""
    return {name: value for name, value in found.items() if _may_be_said(name, value)}


def _may_be_said(name: str, value: Any) -> bool:
    if name == "stage":
        is_whole = isinstance(value, dict) and _has({"share": 0.0, "eta_s": 0.0} | value, _PROGRESS_STAGE)
        return is_whole or value == {}
    if name == "shown_game":
        return isinstance(value, dict) and _has(value, _PROGRESS_GAME)
    return _is_one_of(value, _PROGRESS.get(name, (object,)))


def _has(values: Mapping[str, Any], expected: Mapping[str, tuple[type, ...]]) -> bool:
    return all(name in values and _is_one_of(values[name], kinds) for name, kinds in expected.items())


def _is_one_of(value: Any, kinds: tuple[type, ...]) -> bool:
    is_usable = not isinstance(value, int | float) or -_MOST <= value <= _MOST  # NaN is not
    return isinstance(value, kinds) and is_usable


def _checked(kind: type[Record], *values: Any) -> Record:
    """`kind(*values)`, each value of the type that its field declares."""
    record = kind(*(shown_text(value) if isinstance(value, str) else value for value in values))
    for name, allowed in _layout(kind):  # type: ignore[arg-type]
        value = getattr(record, name)
        if not isinstance(value, allowed):
            raise TypeError(f"{name} must be {allowed[-1].__name__}, got {str(value)[:80]!r}")
        _check_bound(name, value)
    if isinstance(record, EventRecord) and record.level not in get_args(EventLevel):
        raise ValueError(f"level must be one of {', '.join(get_args(EventLevel))}, got {record.level[:80]!r}")
    return record


def _check_bound(name: str, value: Any) -> None:
    if name in _BOUNDS and not 0 <= value <= _BOUNDS[name]:
        raise ValueError(f"{name} must be from 0 to {_BOUNDS[name]:,}, got {value}")


@cache
def _layout(kind: Hashable) -> tuple[tuple[str, tuple[type, ...]], ...]:
    return tuple((field.name, _ALLOWED[str(field.type)]) for field in fields(kind))  # type: ignore[arg-type]


def _stage(iteration: Any, stage: Any, started_s: Any, finished_s: Any, *texts: Any) -> StageRecord:
    artifacts, result = (read_json(text) for text in texts)
    files = tuple(_checked(Artifact, *entry) for entry in artifacts)
    for name in _RESULT_COUNTS:
        if not (isinstance(result.get(name, 0), int) and 0 <= result.get(name, 0) <= _MOST):
            raise ValueError(f"result {name!r} must be a whole number, got {str(result[name])[:80]!r}")
    return _checked(StageRecord, iteration, stage, started_s, finished_s, files, result)


def _metric(iteration: Any, name: Any, value: Any, time_s: Any) -> MetricRecord:
    # SQLite keeps a NaN as NULL.
    return _checked(MetricRecord, iteration, name, math.nan if value is None else value, time_s)


def _games(*row: Any) -> GamesRecord:
    return _checked(GamesRecord, *row[:-1], read_json(row[-1]))


def _state(key: Any, value: Any) -> tuple[str, Any]:
    return str(key), read_json(value)


DECODERS: dict[str, Callable[..., Any]] = {
    "stages": _stage,
    "metrics": _metric,
    "ratings": partial(_checked, RatingRecord),
    "events": partial(_checked, EventRecord),
    "games": _games,
    "champions": partial(_checked, ChampionRecord),
    "state": _state,
}
