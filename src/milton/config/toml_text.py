"""Writes settings as a complete, commented TOML file that reads back equal. Reading is tomllib's work."""

import json
import textwrap
from collections.abc import Mapping

from .describe import FieldDescription, describe_fields
from .secret import Secret
from .settings import Settings

_COMMENT_WIDTH = 106


def to_toml(settings: Settings, sources: Mapping[str, str] | None = None) -> str:
    """Every value under its meaning; `sources` maps "table.key" to where the value came from."""
    lines = ["# Settings of a Milton run: complete, so nothing outside this file decides a value of the run."]
    table = ""
    for field in describe_fields(Settings):
        if field.table != table:
            table = field.table
            lines += ["", f"# {Settings.model_fields[table].description}", f"[{table}]"]
        value = getattr(getattr(settings, table), field.key)
        lines += _comment(field, (sources or {}).get(field.name))
        lines.append(f"{field.key} = {toml_value(value)}")
    return "\n".join(lines) + "\n"


def toml_value(value: object) -> str:
    """One value as TOML writes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case str() | Secret():
            # JSON escapes all that TOML asks for except DEL.
            return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
        case tuple():
            return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"no TOML form for {value!r}")


def _comment(field: FieldDescription, source: str | None) -> list[str]:
    text = f"{field.meaning} ({field.allowed})" + (f" [from {source}]" if source else "")
    return textwrap.wrap(text, _COMMENT_WIDTH, initial_indent="# ", subsequent_indent="#   ")
