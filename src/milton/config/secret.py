"""A setting that says where a secret is, not what it is: "env:NAME". Looked up on use, never printed."""

import os
import re
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from milton.errors import ConfigError

_REFERENCE = re.compile(r"^env:[A-Za-z_][A-Za-z0-9_]*$")


@dataclass(frozen=True, slots=True)
class Secret:
    """Reference to an environment variable; the empty reference stands for no secret."""

    reference: str  # "" or "env:NAME"

    def __post_init__(self) -> None:
        if self.reference and not _REFERENCE.match(self.reference):
            # The text is not repeated: it may be the secret itself, pasted in good faith.
            raise ConfigError('a secret must be written as "env:NAME", the name of an environment variable')

    def __bool__(self) -> bool:
        return bool(self.reference)

    def __str__(self) -> str:
        return self.reference

    def resolve(self, allowed: str = r"\w+") -> str:
        """The secret itself. Hand it straight to the client that needs it.

        `allowed` is a regular expression of the variables that may be sent to that client: another one
        holds a secret of something else.
        """
        if not self.reference:
            raise ConfigError('no secret is set; write "env:NAME" and put the secret into that variable')
        name = self.reference.removeprefix("env:")
        if not re.fullmatch(allowed, name):
            raise ConfigError(
                f"environment variable {name!r} is not read here; its name must match {allowed}"
            )
        value = os.environ.get(name, "").strip()
        if not value:
            raise ConfigError(f"environment variable {name!r} is not set; the settings expect a secret in it")
        return value

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        from_text = core_schema.no_info_after_validator_function(cls, core_schema.str_schema(strict=True))
        return core_schema.union_schema(
            [core_schema.is_instance_schema(cls), from_text],
            serialization=core_schema.plain_serializer_function_ser_schema(str),
        )
