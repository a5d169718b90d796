"""A flag means the same in every command. A new one that means something else needs another name."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from milton.cli.app import app

# flag -> the type of its value, and how its help begins or what it must mention
MEANINGS = {
    "--threads": ("int", r"^Threads\b.*; 0 uses all cores\.$"),
    "--workers": ("int", r"^Workers that play games\b"),
    "--games": ("int", r"\b[Gg]ames\b"),
    "--out": ("Path", r"."),
    "--game": ("str", r"\b[Gg]ame\b|^One of chess"),
    "--root": ("Path", r"^The folder that holds the runs\.$"),
    "--run": ("Path", r"\b[Rr]uns?\b"),
    "--checkpoint": ("Path", r"\b[Nn]etwork\b"),
    "--config": ("Path", r"\bsettings file\b"),
    "--simulations": ("int", r"\b[Ss]imulations\b"),
    "--seed": ("int", r"\b[Ss]eed\b|\brandom\b|^Of "),
    "--set": ("list", r"key=value"),
    "--json": ("bool", r"\bJSON\b"),
    "--plain": ("bool", r"^Plain\b"),
    "--pgn": ("Path", r"\bgames\b"),
    "--tc": ("str", r"\b[Ll]imit|[Tt]ime"),
    "--device": ("DeviceName", r"."),
    "--cluster": ("str", r"\bcluster\b"),
}


def options(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from options(command, f"{prefix}{name} ")
        for parameter in command.params:
            if parameter.param_type_name == "option":
                yield f"{prefix}{name}", parameter


OPTIONS = list(options(typer.main.get_command(app)))


@pytest.mark.parametrize("flag", MEANINGS)
def test_a_flag_means_the_same_everywhere(flag):
    type_name, meaning = MEANINGS[flag]
    found = [(command, option) for command, option in OPTIONS if flag in option.opts]
    assert found
    for command, option in found:
        assert option.type_descriptor.annotation.__name__ == type_name, command
        assert re.search(meaning, option.help or ""), (command, option.help)


def test_every_option_says_what_it_is_for():
    silent = [(command, option.opts) for command, option in OPTIONS if not (option.hidden or option.help)]
    assert silent == []


def test_no_command_gives_a_flag_two_meanings():
    """`--threads` as another name of `--workers` would be such a case."""
    for command, option in OPTIONS:
        assert len(set(option.opts) & MEANINGS.keys()) <= 1, (command, option.opts)
