"""Asks a language model: prompt, budget, call, validation. Knows no run and no weights."""

import time
from dataclasses import dataclass
from typing import Any

from milton.config import CoachSettings
from milton.errors import CoachError
from milton.replay import GameBlock

from .budget import MonthlyBudget
from .chat import Answer, StatusError, complete
from .prompt import Prompt, build_prompt
from .providers import Provider, find_provider
from .reply import parse_reply, reply_schema
from .report import WeaknessReport


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. Untrusted: whoever asked validates it."""

    text: str
    provider: str
    model: str
    tokens: int  # spent on it


def ask_model(blocks: list[GameBlock], figures: WeaknessReport, settings: CoachSettings) -> WeaknessReport:
    """The model's report about games that the offline coach has looked at; CoachError if there is none."""
    prompt = build_prompt(blocks, figures, settings)
    reply = ask(prompt, reply_schema(figures.game), settings)
    return figures.model_copy(
        update={
            "provider": reply.provider,
            "model": reply.model,
            "tokens": reply.tokens,
            "weaknesses": parse_reply(reply.text, figures.game),
        }
    )


def ask(prompt: Prompt, schema: dict[str, Any], settings: CoachSettings) -> Reply:
    """One question to the provider of the settings, within their time, size and budget; CoachError if
    there is no answer. `schema` is that of the answer, in the strict form of structured output."""
    provider = find_provider(settings)
    answer, tokens = _ask(provider, prompt, schema, settings)
    if provider.key and provider.key in answer.text:
        raise CoachError(f"{provider.name} repeats the key in its reply; the reply was refused")
    return Reply(answer.text, provider.name, provider.model, tokens)


def _ask(
    provider: Provider, prompt: Prompt, schema: dict[str, Any], settings: CoachSettings
) -> tuple[Answer, int]:
    """With structured output, or without it where the server knows none; and the tokens of both calls."""
    deadline_s = time.monotonic() + settings.timeout_s
    try:
        return _ask_within_budget(provider, prompt, schema, settings, deadline_s)
    except StatusError as error:
        if not error.is_about_schema:
            raise
    answer, tokens = _ask_within_budget(provider, prompt, None, settings, deadline_s)
    return answer, tokens + prompt.tokens


def _ask_within_budget(
    provider: Provider,
    prompt: Prompt,
    schema: dict[str, Any] | None,
    settings: CoachSettings,
    deadline_s: float,
) -> tuple[Answer, int]:
    budget = MonthlyBudget(settings.monthly_token_budget)
    reserved = prompt.tokens + settings.max_reply_tokens
    budget.reserve(reserved)
    spent = prompt.tokens  # of a call that fails
    try:
        answer = complete(provider, prompt, schema, settings.max_reply_tokens, deadline_s)
        spent = answer.tokens or reserved
        return answer, spent
    finally:
        budget.settle(reserved, spent)
