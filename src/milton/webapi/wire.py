"""How values look on the wire: camelCase JSON, closed to unknown keys. Knows no meaning of any value."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

# Larger numbers are not exact in JavaScript.
LARGEST_SAFE_INTEGER = 2**53 - 1


class Wire(BaseModel):
    """Base of everything that is sent or received. Infinities leave as null: JSON has none."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        extra="forbid",
        frozen=True,
        strict=True,
        ser_json_inf_nan="null",
    )
