"""Reference pages as Markdown, made from the code: commands, settings, Python API. Knows no site generator.

`python scripts/docs_reference.py FOLDER` writes them there, to look at.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel

# What a notebook or a program of somebody else may rely on.
PUBLIC_MODULES = (
    "milton",
    "milton.games",
    "milton.games.environments",
    "milton.play",
    "milton.nets",
    "milton.config",
    "milton.errors",
)


def commands_page() -> str:
    from milton.cli.app import app

    lines = ["# Commands", "", "Made from the code; `milton COMMAND --help` prints the same."]
    for name, command in _commands(typer.main.get_command(app)):
        lines += ["", f"## milton {name}", "", _paragraphs(command.help or "")]
        rows = [
            _option_row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)
        ]
        if rows:
            lines += ["", "| option | default | meaning |", "|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        yield prefix + name, command
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")


def _option_row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{(parameter.metavar or parameter.name).upper()}`"
    default = (
        "" if parameter.default in (None, False, ...) or callable(parameter.default) else parameter.default
    )
    shown = (
        "required"
        if parameter.required
        else f"`{getattr(default, 'value', default)}`"
        if default != ""
        else ""
    )
    return f"| {names} | {shown} | {_cell(getattr(parameter, 'help', None) or '')} |"


def settings_page() -> str:
    from milton.config import Settings

    lines = [
        "# All settings",
        "",
        "Made from the code; `milton config show` prints the values in force and where each came from.",
        "[Settings](../configuration.md) explains files and layers.",
    ]
    for table, field in Settings.model_fields.items():
        kind = field.annotation
        if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
            continue
        lines += ["", f"## [{table}]", "", _paragraphs(inspect.getdoc(kind) or ""), ""]
        lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
        for key, entry in kind.model_fields.items():
            default = entry.get_default(call_default_factory=True)
            meaning = _cell(entry.description or "")
            lines.append(
                f"| `{key}` | {_type_name(entry.annotation)} | `{_cell(str(default))}` | {meaning} |"
            )
    return "\n".join(lines) + "\n"


def python_page() -> str:
    lines = ["# Python API", "", "Made from the code. What is not listed here may change without notice."]
    for name in PUBLIC_MODULES:
        try:
            module = importlib.import_module(name)
        except ImportError:  # an extra that is not installed where the site is built
            continue
        lines += ["", f"## {name}", "", _paragraphs(inspect.getdoc(module) or "")]
        for member, value in _members(module):
            lines += ["", f"### {name}.{member}", "", *_described(member, value)]
    return "\n".join(lines) + "\n"


def _members(module: Any) -> Iterator[tuple[str, Any]]:
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    ]
    for name in sorted(names):
        value = getattr(module, name)
        if not name.startswith("_") and not getattr(value, "_is_protocol", False):
            yield name, value


def _described(name: str, value: Any) -> list[str]:
    if inspect.isclass(value):
        lines = [*_signature(name, value), _paragraphs(_own_doc(value))]
        for method, function in inspect.getmembers(value):
            if method.startswith("_") or method not in vars(value):
                continue
            if isinstance(function, property):
                lines += ["", f"- `{method}` – {_cell(inspect.getdoc(function) or '')}"]
            elif callable(function):
                lines += ["", f"- `{method}{_arguments(function)}` – {_cell(inspect.getdoc(function) or '')}"]
        return lines
    if callable(value):
        return [*_signature(name, value), _paragraphs(inspect.getdoc(value) or "")]
    return [f"`{_shortened(repr(value))}`"]


def _own_doc(kind: type) -> str:
    """Without what dataclasses and enumerations write by themselves."""
    text = inspect.cleandoc(kind.__doc__ or "")
    return "" if text.startswith(f"{kind.__name__}(") else text


def _signature(name: str, value: Any) -> list[str]:
    arguments = _arguments(value)
    return ["```python", f"{name}{arguments}", "```", ""] if arguments else []


def _arguments(value: Any) -> str:
    try:
        text = str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    # Addresses and installation paths are no part of the interface.
    text = re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"PosixPath\(([^)]*)\)", r"Path(\1)", text))
    text = re.sub(
        r"numpy\.ndarray\[tuple\[\w+, \.\.\.\], numpy\.dtype\[numpy\.(\w+)\]\]", r"ndarray[\1]", text
    )
    return _shortened(re.sub(r"\b(?:pathlib|typing|collections\.abc)\.", "", text), 400)


def _type_name(annotation: Any) -> str:
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    return _cell(re.sub(r"\b(?:typing|pathlib|collections\.abc)\.", "", text))


def _paragraphs(text: str) -> str:
    """Plain text as Markdown: examples, which docstrings indent, stay as they are; < is no tag."""
    return re.sub(r"<(?=[A-Za-z])", "&lt;", inspect.cleandoc(text.replace("\b", "")))


def _cell(text: str) -> str:
    return re.sub(r"<(?=[A-Za-z])", "&lt;", " ".join(text.split()).replace("|", "\\|"))


def _shortened(text: str, longest: int = 200) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page, write in (("commands", commands_page), ("settings", settings_page), ("python", python_page)):
        (folder / f"{page}.md").write_text(write())
