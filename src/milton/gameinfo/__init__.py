"""The declaration of each game: one TOML file a game beside this module. Knows no rules and no sizes.

Whoever needs a fact that differs from game to game and that the core does not know (a title, the names of the
sides, the profile a run starts from) asks `game_info`. Rules, shapes and encoders are the core's.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from milton.errors import ArgumentError, ConfigError

DenseFamily = Literal["tower", "mlp", "attack"]
Text = Annotated[str, Field(min_length=1)]
# Six hexadecimal digits, or a colour of the page's theme (web/src/styles/tokens.css).
Colour = Annotated[str, Field(pattern=r"^(#[0-9a-f]{6}|var\(--[a-z-]+\))$")]


class GameInfo(BaseModel):
    """One game's declaration."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str  # of the file, of the core's submodule and of everything on disk
    title: Text
    short_title: Text  # where there is little room
    menu_order: int  # games are listed by it; the first is the default
    sides: tuple[Text, Text]  # as people call them, who moves first at the front
    colours: tuple[Colour, Colour]  # of their pieces on the page
    notation: Literal[
        "san", "core"
    ]  # "san": moves shown as SAN, games kept as PGN; "core": as the core writes
    move_numbers: Literal["pairs", "each"]  # "each" where a side may move twice in a row
    example: Text  # what a person may paste into the analysis page
    default_profile: Text  # of settings
    opponents: tuple[Text, ...]  # of `milton rate` where none are named
    tower_policy: Literal["planes", "dense"] = "dense"  # head of a tower where the settings name none
    encoders: dict[DenseFamily, str]  # planes that a dense family reads where the settings name none

    def encoder(self, family: str) -> str:
        """Planes of a dense family; ArgumentError if the game has no such network."""
        found = {str(known): encoder for known, encoder in self.encoders.items()}.get(family)
        if found is None:
            known = ", ".join(self.encoders)
            raise ArgumentError(f"{self.name} has no planes for a {family!r} network, only for {known}")
        return found


@cache
def all_games() -> dict[str, GameInfo]:
    """Every declared game by name, in the order in which users see them."""
    found = [
        read_info(file.name.removesuffix(".toml"), file.read_text(encoding="utf-8"))
        for file in files(__package__).iterdir()
        if file.name.endswith(".toml")
    ]
    return {info.name: info for info in sorted(found, key=lambda info: (info.menu_order, info.name))}


def game_info(name: str) -> GameInfo:
    """The declaration of a game; ArgumentError if there is no such game."""
    found = all_games().get(name)
    if found is None:
        raise ArgumentError(f"expected a game of {', '.join(all_games())}, got {name!r}")
    return found


def read_info(name: str, text: str) -> GameInfo:
    """A declaration out of its file's text; ConfigError names file and key if something is wrong with it."""
    where = f"milton/gameinfo/{name}.toml"
    try:
        return GameInfo.model_validate({"name": name, **tomllib.loads(text)})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{where}: {key}: {first['msg']}, got {first['input']!r:.200}") from error


GAME_NAMES: tuple[str, ...] = tuple(all_games())
