"""Writes settings as a complete, commented TOML file that reads back equal. Reading is tomllib's work."""

import json
import textwrap
from collections.abc import Mapping

from .describe import FieldDescription, describe_fields
from .personal import PERSONAL_KEYS
from .secret import Secret
from .settings import Settings
from .tables.chapter import Chapter

_COMMENT_WIDTH = 106


_FIRST_LINE = "# Settings of a Milton run: complete, so nothing outside this file decides a value of the run."
_PERSONAL_LINE = (
    "# Not here: secrets, addresses, folders, the token budget, what is done in your name on Lichess.\n"
    "# Your own file, --config and --set decide them."
)


def to_toml(
    settings: Settings, sources: Mapping[str, str] | None = None, *, with_personal: bool = True
) -> str:
    """Every value under its meaning; `sources` maps "table.key" to where the value came from.

    A file that is kept in a run leaves the personal keys out: they would not be read from there.
    """
    lines = [_FIRST_LINE] if with_personal else [_FIRST_LINE, _PERSONAL_LINE]
    table = ""
    for field in describe_fields(Settings):
        if field.table != table:
            table = field.table
            lines += ["", f"# {Settings.model_fields[table].description}", f"[{table}]"]
        if field.name in PERSONAL_KEYS and not with_personal:
            continue
        value = getattr(getattr(settings, table), field.key)
        lines += _comment(field, (sources or {}).get(field.name))
        if field.name == "loop.chapters" and value:
            lines.append("# see [[loop.chapters]] at the end of this file")
            continue
        lines.append(f"{field.key} = {toml_value(value)}")
    for chapter in settings.loop.chapters:
        lines += ["", "[[loop.chapters]]", *_assignments(chapter)]
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
        case Chapter():
            return "{ " + ", ".join(_assignments(value)) + " }"
        case tuple():
            return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"no TOML form for {value!r}")


def _assignments(chapter: Chapter) -> list[str]:
    own = [("after_positions", chapter.after_positions)]
    own += [("fresh_start", True)] if chapter.fresh_start else []
    return [f"{name} = {toml_value(value)}" for name, value in (*own, *chapter.changes)]


def _comment(field: FieldDescription, source: str | None) -> list[str]:
    text = f"{field.meaning} ({field.allowed})" + (f" [from {source}]" if source else "")
    return textwrap.wrap(text, _COMMENT_WIDTH, initial_indent="# ", subsequent_indent="#   ")
