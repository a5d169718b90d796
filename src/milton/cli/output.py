"""How commands print: JSON for programs, tables for people. Knows nothing about what is printed."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def print_json(value: object) -> None:
    typer.echo(json.dumps(plain_values(value), indent=2, ensure_ascii=False))


def counted(number: int, noun: str) -> str:
    """ "1 step", "2,000 steps"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def plain_values(value: Any) -> Any:
    """`value` as JSON can say it: paths as texts, and null for numbers that are not finite."""
    if isinstance(value, Mapping):
        return {key: plain_values(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain_values(entry) for entry in value]
    if isinstance(value, Path):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def console() -> Console:
    """A console for stdout; colours only if a person is watching, lines never cut in a pipe."""
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=200)
