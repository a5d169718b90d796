"""Lab methods as players of ratings, tournaments, arenas and the web page. Knows no particular method.

A player is named by its file (`PATH.lab`) or as `lab:METHOD`, the file of that method in runs/lab. Rooms
below learn of them through `milton.rating.register_players`, called once when this module is imported;
doors that offer players (the commands, the web page) import it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from milton.errors import ArgumentError
from milton.games import Position
from milton.rating import Clocks, PlayerSpec, RatedPlayer, register_players
from milton.rundir import DEFAULT_ROOT

from .files import read_lab_head
from .registry import METHODS, load_method

SUFFIX = ".lab"
PREFIX = "lab:"
LAB_FOLDER = DEFAULT_ROOT / "lab"  # where `milton lab train` puts what it made


class LabPlayer:
    """A method that plays as itself, whatever the limits of the match say."""

    score_cp: int | None = None

    def __init__(self, path: Path) -> None:
        self._method = load_method(path)
        if "torch" in sys.modules:
            import torch

            torch.set_num_threads(1)  # one game per core, like all players here

    def begin_game(self, seed: int, /) -> None:
        self._method.begin_game(seed)

    def choose(self, position: Position, _moves: Sequence[str], _clocks: Clocks | None, /) -> str:
        return self._method.choose(position)

    def close(self) -> None:
        pass


def is_lab_name(text: str) -> bool:
    """Whether a player's name is one of ours."""
    return text.startswith(PREFIX) or text.endswith(SUFFIX)


def method_file(name: str, game: str = "chess") -> Path:
    """The default path of a method's file."""
    return LAB_FOLDER / (f"{name}{SUFFIX}" if game == "chess" else f"{name}-{game}{SUFFIX}")


def find_file(text: str, game: str = "chess") -> Path:
    """The file of a method's name or of a path; ArgumentError if there is none."""
    name = text.removeprefix(PREFIX)
    path = method_file(name, game) if name in METHODS else Path(text)
    if not path.is_file():
        if name in METHODS:
            raise ArgumentError(f"no file {str(path)!r}; make it with: milton lab train {name}")
        if path.suffix != SUFFIX:
            raise ArgumentError(
                f"expected a method of {', '.join(METHODS)}, or a {SUFFIX} file, got {text!r}"
            )
        raise ArgumentError(f"no file {str(path)!r}")
    return path


def file_game(path: Path) -> str:
    """The game that a method's file plays."""
    return read_lab_head(path).game


def lab_spec(path: Path, game: str) -> PlayerSpec:
    if file_game(path) != game:
        raise ArgumentError(f"{path}: plays {file_game(path)}, expected {game}")
    return PlayerSpec(path.stem, "method", game, checkpoint=path.resolve(), opener=open_lab_player)


def open_lab_player(spec: PlayerSpec) -> RatedPlayer:
    assert spec.checkpoint is not None
    return LabPlayer(spec.checkpoint)


def lab_players(game: str) -> list[str]:
    """Names of the methods that have been trained for a game, for lists to choose from."""
    return [f"{PREFIX}{name}" for name in METHODS if method_file(name, game).is_file()]


class _LabNames:
    """What rating asks of a source of players."""

    def parse(self, text: str, game: str) -> PlayerSpec | None:
        if not is_lab_name(text):
            return None
        if text.startswith(PREFIX) and text.removeprefix(PREFIX) not in METHODS:
            raise ArgumentError(f"no method {text!r}; there are {', '.join(METHODS)}")
        return lab_spec(find_file(text, game), game)

    def names(self, game: str) -> list[str]:
        return lab_players(game)


register_players(_LabNames())
