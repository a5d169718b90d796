"""Reads a TOML file that is not a run's settings as a model of its own. Knows no model in particular."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from milton.errors import ConfigError

from .layers import read_toml_values

Model = TypeVar("Model", bound=BaseModel)


def read_model(path: Path, model: type[Model]) -> Model:
    """The file as `model`; ConfigError with file, place and reason for whatever does not fit."""
    try:
        return model.model_validate(read_toml_values(path))
    except ValidationError as error:
        problems = "; ".join(_problem(detail) for detail in error.errors(include_url=False))
        raise ConfigError(f"{path}: {problems}") from error


def _problem(detail: Any) -> str:
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in detail["loc"])
    reason = str(detail["msg"]).removeprefix("Value error, ")
    reason = {"Extra inputs are not permitted": "no such key"}.get(reason, reason)
    if not place:
        return reason
    return (
        f"{place}: {reason}" if detail["type"] == "missing" else f"{place}: {reason}, got {detail['input']!r}"
    )
