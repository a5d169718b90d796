"""A chapter of a run: settings that change after a number of positions. Knows its shape, not the keys."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, model_serializer, model_validator

from milton.errors import ConfigError

from .base import Table


class Chapter(Table):
    """`[[loop.chapters]]` in a settings file: its own keys, and tables of settings that change."""

    after_positions: int = Field(
        ge=0, le=10**12, description="Positions played in the run when the chapter begins."
    )
    fresh_start: bool = Field(
        default=False,
        description="The next training starts from random weights on the whole window "
        "(train.fresh_passes). Games are kept; what the weights learnt from the first games "
        "is lost.",
    )
    changes: tuple[tuple[str, Any], ...] = ()  # ("table.key", value); in a file they stand in tables

    @model_validator(mode="before")
    @classmethod
    def _collect_changes(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        own = {key: value for key, value in data.items() if key in OWN_KEYS}
        if "after_positions" not in own:
            raise ConfigError("a chapter needs after_positions")
        changes: dict[str, Any] = {}
        for table, entries in data.items():
            if table in OWN_KEYS:
                continue
            if not isinstance(entries, Mapping):
                known = ", ".join(OWN_KEYS)
                raise ConfigError(
                    f"a chapter has the keys {known} and tables such as train.learning_rate, got {table!r}"
                )
            changes |= {f"{table}.{key}": value for key, value in entries.items()}
        return {**own, "changes": tuple(changes.items())}

    @model_serializer
    def _as_tables(self) -> dict[str, Any]:
        values: dict[str, Any] = {key: getattr(self, key) for key in OWN_KEYS}
        for name, value in self.changes:
            table, _, key = name.partition(".")
            values.setdefault(table, {})[key] = value
        return values

    def without(self, names: frozenset[str]) -> "Chapter":
        """The chapter without what it says about these keys."""
        kept = tuple((name, value) for name, value in self.changes if name not in names)
        return self.model_copy(update={"changes": kept})

    def is_empty(self) -> bool:
        return not self.changes and not self.fresh_start


OWN_KEYS = tuple(name for name in Chapter.model_fields if name != "changes")
