"""Tables whose keys the core declares (core/*/parameters.def). Knows how to ask, not what they mean.

A new parameter of the core needs nothing here: its table takes name, type, default, limits and meaning over.
"""

from typing import Any, Protocol

from pydantic import Field, create_model

from milton import _core

from .base import Table

_TYPES: dict[str, type[bool] | type[int] | type[float]] = {"bool": bool, "int": int, "float": float}


class CoreSettings(Protocol):
    """A struct of the core that knows its parameters."""

    @staticmethod
    def parameters() -> list[_core.Parameter]: ...


def core_table(core: type[CoreSettings]) -> type[Table]:
    """A table with the parameters of `core`, to be extended by what only Python needs to know."""
    fields: dict[str, Any] = {
        parameter.name: (_TYPES[parameter.kind], _field(parameter)) for parameter in core.parameters()
    }
    return create_model(f"Core{core.__name__}", __base__=Table, __module__=__name__, **fields)


def fill_core(core: CoreSettings, table: object) -> None:
    """Gives every parameter of `core` the value it has in its table."""
    for parameter in core.parameters():
        setattr(core, parameter.name, getattr(table, parameter.name))


def _field(parameter: _core.Parameter) -> Any:
    kind = _TYPES[parameter.kind]
    default = kind(parameter.default)
    if kind is bool:
        return Field(default=default, description=parameter.meaning)
    low, high = kind(parameter.low), kind(parameter.high)
    if parameter.excludes_low:
        return Field(default=default, gt=low, le=high, description=parameter.meaning)
    return Field(default=default, ge=low, le=high, description=parameter.meaning)
