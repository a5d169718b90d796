"""Options that commands share, declared once as the fields of a frozen dataclass. Knows no option by name."""

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def expand_groups(command: Callable[..., None]) -> Callable[..., None]:
    """`command` for typer: a parameter whose type is a dataclass becomes the fields of that class."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    shown: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name in groups:
            shown += _options_of(groups[parameter.name])
        else:
            # By keyword, so that an option without a default may stand behind a group.
            shown.append(
                parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
            )

    @functools.wraps(command)
    def expanded(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    expanded.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]  # read by inspect.signature
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return expanded


def _options_of(group: Any) -> Iterator[inspect.Parameter]:
    for field in fields(group):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=field.type
        )
