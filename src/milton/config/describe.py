"""Says in words what a field accepts. The one home of these words for errors, TOML comments and documents."""

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .secret import Secret


@dataclass(frozen=True, slots=True)
class FieldDescription:
    table: str
    key: str
    allowed: str  # "a whole number from 0", "one of \"a\", \"b\""
    default: object
    meaning: str

    @property
    def name(self) -> str:
        return f"{self.table}.{self.key}"


def describe_fields(settings_type: type[BaseModel]) -> Iterator[FieldDescription]:
    """Every field of every table, in the order of the models."""
    for table, table_info in settings_type.model_fields.items():
        table_type = table_info.annotation
        assert isinstance(table_type, type)
        assert issubclass(table_type, BaseModel)
        for key, info in table_type.model_fields.items():
            yield FieldDescription(table, key, allowed_values(info), info.default, info.description or "")


def allowed_values(info: FieldInfo) -> str:
    """What a field accepts, for people."""
    kind, limits = _kind(info.annotation), _range(info.metadata)
    if kind.startswith("a list"):
        limits = limits.replace(" of at most", ", at most").replace("characters", "entries")
    return kind + limits


def is_secret(info: FieldInfo) -> bool:
    return info.annotation is Secret


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Annotated:
        kind, *limits = get_args(annotation)
        return _kind(kind) + _range(
            [each for limit in limits for each in getattr(limit, "metadata", [limit])]
        )
    if get_origin(annotation) is Literal:
        return "one of " + ", ".join(f'"{choice}"' for choice in get_args(annotation))
    if get_origin(annotation) in (Union, types.UnionType):
        return " or ".join(_kind(choice) for choice in get_args(annotation)).replace("one of ", "")
    if get_origin(annotation) is tuple:
        return _list_kind(get_args(annotation)[0])
    return {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
        Secret: '"env:NAME" or empty',
    }[annotation]


def _list_kind(element: Any) -> str:
    if element is str:
        return "a list of texts"
    if get_origin(element) is Annotated:
        return _kind(element).replace("a number", "a list of numbers")
    return "a list of tables"


def _range(metadata: list[Any]) -> str:
    words: list[str] = []
    for limit in sorted(metadata, key=_place):
        match limit:
            case annotated_types.Ge(ge=low):
                words.append(f"from {_number(low)}")
            case annotated_types.Gt(gt=low):
                words.append(f"above {_number(low)}")
            case annotated_types.Le(le=high):
                words.append(f"up to {_number(high)}")
            case annotated_types.Lt(lt=high):
                words.append(f"below {_number(high)}")
            case annotated_types.MultipleOf(multiple_of=step):
                words.append(f"that is a multiple of {_number(step)}")
            case annotated_types.MaxLen(max_length=length):
                words.append(f"of at most {length} characters")
            case annotated_types.MinLen(min_length=length) if length == 1:
                words.append("that is not empty")
            case _ if getattr(limit, "pattern", None):
                words.append(f"matching {limit.pattern}")
    return " " + " ".join(words) if words else ""


def _place(limit: Any) -> int:
    """Position of a limit in the sentence: from, up to, then the rest."""
    if isinstance(limit, annotated_types.Ge | annotated_types.Gt):
        return 0
    return 1 if isinstance(limit, annotated_types.Le | annotated_types.Lt) else 2


def _number(value: Any) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
