"""What all tables have in common: frozen, strict about types, closed to unknown keys."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, field_validator
from pydantic_core import PydanticCustomError

from milton.gameinfo import GAME_NAMES

# Whatever milton.gameinfo declares; validated wherever it is a field's type.
if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[GAME_NAMES]

# TOML arrays arrive as lists; everything inside them stays strict.
TextList = Annotated[tuple[str, ...], Strict(False)]

# Every number has an upper limit, too (tests/config/test_limits.py): these need one from their field.
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

    @field_validator("*")
    @classmethod
    def _refuse_nul(cls, value: Any) -> Any:
        """No file, address or name can hold it; some of what they are handed to ends the program over it."""
        if isinstance(value, str) and "\0" in value:
            raise PydanticCustomError("text_with_nul", "must not hold the character NUL")
        return value
