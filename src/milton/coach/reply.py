"""The answer of a language model: untrusted text that becomes weaknesses or is refused. Makes no call."""

from typing import Annotated, Any

from pydantic import Field, ValidationError

from milton.config import GameName
from milton.errors import CoachError

from .fingerprint import MAX_CONDITIONS, MAX_OPENING_PLIES, Condition, Fingerprint, StrictModel
from .report import MAX_WEAKNESSES, Description, Severity, Weakness, explain
from .traits import Category, traits_of


class _Suggestion(StrictModel):
    category: Category
    description: Description
    severity: Severity
    conditions: Annotated[tuple[Condition, ...], Field(max_length=MAX_CONDITIONS)]
    opening: Annotated[tuple[str, ...], Field(max_length=MAX_OPENING_PLIES)]


class _Reply(StrictModel):
    weaknesses: Annotated[tuple[_Suggestion, ...], Field(max_length=MAX_WEAKNESSES)]


def reply_schema(game: str) -> dict[str, Any]:
    """JSON schema of the answer, in the strict form that structured output asks for."""
    schema: dict[str, Any] = strict_schema(_Reply.model_json_schema())
    schema["$defs"]["Condition"]["properties"]["trait"]["enum"] = list(traits_of(game))
    return schema


def parse_reply(text: str, game: GameName) -> tuple[Weakness, ...]:
    """Weaknesses out of a model's text; CoachError says what is wrong without repeating the text."""
    try:
        reply = _Reply.model_validate_json(json_part(text))
        return tuple(
            Weakness(
                category=suggestion.category,
                description=suggestion.description,
                severity=suggestion.severity,
                fingerprint=Fingerprint(
                    game=game, conditions=suggestion.conditions, opening=suggestion.opening
                ),
            )
            for suggestion in reply.weaknesses
        )
    except ValidationError as error:
        raise CoachError(f"the reply was refused: {explain(error)}") from None


def json_part(text: str) -> str:
    """Models without structured output like to put their JSON into a fence or a sentence."""
    first, last = text.find("{"), text.rfind("}")
    return text[first : last + 1] if 0 <= first < last else text


def strict_schema(node: Any) -> Any:
    """As structured output asks for it: every property required, titles and defaults left out."""
    if isinstance(node, list):
        return [strict_schema(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    kept = {key: strict_schema(value) for key, value in node.items() if key not in ("title", "default")}
    if "properties" in kept:
        kept["required"] = list(kept["properties"])
    return kept
