"""The methods by name. A method's module, and torch with it, is imported when it is asked for."""

import importlib
from pathlib import Path
from typing import Any

from milton.errors import ArgumentError, CheckpointError

from .files import read_lab_head
from .method import Method

# name -> "module:class" inside this package, in the order of tables
METHODS = {
    "mcts": "mcts:PlayoutSearch",
    "q-learning": "q_learning:QLearning",
    "reinforce": "reinforce:Reinforce",
    "cloning": "cloning:Cloning",
    "evolution": "evolution:Evolution",
    "attack": "attack:AttackBot",
}
# Of these, the ones that search, and so can be given limits; known here so that lists need not import them.
SEARCHING_METHODS = frozenset({"mcts", "evolution", "attack"})


def method_class(name: str) -> type[Method[Any]]:
    if name not in METHODS:
        raise ArgumentError(f"expected a method of {', '.join(METHODS)}, got {name!r}")
    module, class_name = METHODS[name].split(":")
    found: type[Method[Any]] = getattr(importlib.import_module(f"milton.lab.{module}"), class_name)
    return found


def load_method(path: Path) -> Method[Any]:
    """The method in a file, whichever it is."""
    name = read_lab_head(path).method
    if name not in METHODS:
        raise CheckpointError(f"{path}: made by {name[:80]!r}, expected one of {', '.join(METHODS)}")
    return method_class(name).load(path)
