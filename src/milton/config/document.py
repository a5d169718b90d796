"""Writes the tables of docs/configuration.md from the models: `python -m milton.config.document FILE`."""

import sys
from pathlib import Path

from .describe import allowed_values, describe_fields
from .profiles import PROFILES
from .settings import Settings
from .tables.chapter import OWN_KEYS, Chapter
from .toml_text import toml_value

BEGIN = "<!-- written by milton.config.document; do not edit between the marks -->"
END = "<!-- end of the written part -->"

_CHAPTERS = (
    "A table for each chapter ([loop.md](loop.md#chapters)). Besides its own keys it takes others with their "
    "table in front,\nsuch as `train.learning_rate = 1e-4`."
)


def markdown() -> str:
    """The profiles, then every table with all its keys."""
    parts = ["### Profiles", "", "| profile | for |", "|---|---|"]
    parts += [f"| `{name}` | {purpose} |" for name, purpose in PROFILES.items()]
    table = ""
    for field in describe_fields(Settings):
        if field.table != table:
            table = field.table
            parts += ["", f"### `[{table}]`", "", str(Settings.model_fields[table].description), ""]
            parts += ["| key | default | allowed | meaning |", "|---|---|---|---|"]
        default = _cell(toml_value(field.default))
        parts.append(f"| `{field.key}` | `{default}` | {_cell(field.allowed)} | {_cell(field.meaning)} |")
    parts += ["", "### `[[loop.chapters]]`", "", _CHAPTERS, ""]
    parts += ["| key | default | allowed | meaning |", "|---|---|---|---|"]
    for key in OWN_KEYS:
        info = Chapter.model_fields[key]
        default = "-" if info.is_required() else f"`{toml_value(info.default)}`"
        parts.append(f"| `{key}` | {default} | {_cell(allowed_values(info))} | {info.description} |")
    return "\n".join(parts)


def with_tables(document: str) -> str:
    """`document` with the part between the marks regenerated."""
    before, rest = document.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{markdown()}\n\n{END}{after}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
