"""Chapters as they were written before: texts "POSITIONS: table.key=value …". Reads no files."""

import re
import tomllib
from typing import Any

from milton.errors import ConfigError

_TEXT = re.compile(r"\s*(?P<after>\d{1,12})\s*:\s*(?P<changes>\S.*)")
_COUNTER = "train.fresh_starts"  # a chapter that raised it asked for a fresh start


def tables_of_texts(chapters: Any, source: str) -> list[dict[str, Any]] | None:
    """Texts as tables; None if these are not texts. `source` is where they stand."""
    is_old = (
        isinstance(chapters, list | tuple) and chapters and all(isinstance(text, str) for text in chapters)
    )
    if not is_old:
        return None
    tables = []
    num_starts = 0
    for text in chapters:
        after, changes = _parse(text, source)
        table: dict[str, Any] = {"after_positions": after}
        starts = changes.pop(_COUNTER, num_starts)
        if isinstance(starts, int) and starts > num_starts:
            table["fresh_start"], num_starts = True, starts
        for name, value in changes.items():
            owner, _, key = name.partition(".")
            table.setdefault(owner, {})[key] = value
        tables.append(table)
    return tables


def _parse(text: str, source: str) -> tuple[int, dict[str, Any]]:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"{source}: [loop] chapters: a chapter is a table [[loop.chapters]] with after_positions (or, as "
            f"before, 'POSITIONS: table.key=value …'), got {text!r}"
        )
    changes: dict[str, Any] = {}
    for word in match["changes"].split():
        name, equals, value = word.partition("=")
        if not equals or name.count(".") != 1:
            raise ConfigError(
                f"{source}: [loop] chapters: a change is written table.key=value, got {word!r} in {text!r}"
            )
        try:
            changes[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            changes[name] = value
    return int(match["after"]), changes
