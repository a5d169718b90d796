"""What all tables have in common: frozen, strict about types, closed to unknown keys."""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, Strict

# The order in which users see the games. A new game adds its name here and in core/encode/all_games.h.
GameName = Literal["chess", "santorini", "connect_four"]
GAME_NAMES: tuple[GameName, ...] = get_args(GameName)

# TOML arrays arrive as lists; everything inside them stays strict.
TextList = Annotated[tuple[str, ...], Strict(False)]

Fraction = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(ge=1)]


class Table(BaseModel):
    """One table of the settings file."""

    # Inputs never appear in pydantic's own messages: one of them could be a secret.
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        validate_default=True,
        hide_input_in_errors=True,
    )
