"""How commands print: JSON for programs, tables for people. Knows nothing about what is printed."""

import json
from typing import Annotated

import typer
from rich.console import Console

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def console() -> Console:
    """A console for stdout; colours only if a person is watching, lines never cut in a pipe."""
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=200)
