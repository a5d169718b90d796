"""Asks a language model for the report: prompt, budget, call, validation. Knows no run and no weights."""

import time

from milton.config import CoachSettings
from milton.errors import CoachError
from milton.replay import GameBlock

from .budget import MonthlyBudget
from .chat import Answer, StatusError, complete
from .prompt import Prompt, build_prompt
from .providers import Provider, find_provider
from .reply import parse_reply, reply_schema
from .report import WeaknessReport


def ask_model(blocks: list[GameBlock], figures: WeaknessReport, settings: CoachSettings) -> WeaknessReport:
    """The model's report about games that the offline coach has looked at; CoachError if there is none."""
    provider = find_provider(settings)
    prompt = build_prompt(blocks, figures, settings)
    budget = MonthlyBudget(settings.monthly_token_budget)
    answer, tokens = _ask(provider, prompt, budget, settings, figures.game)
    if provider.key and provider.key in answer.text:
        raise CoachError(f"{provider.name} repeats the key in its reply; the reply was refused")
    return figures.model_copy(
        update={
            "provider": provider.name,
            "model": provider.model,
            "tokens": tokens,
            "weaknesses": parse_reply(answer.text, figures.game),
        }
    )


def _ask(
    provider: Provider, prompt: Prompt, budget: MonthlyBudget, settings: CoachSettings, game: str
) -> tuple[Answer, int]:
    """With structured output, or without it where the server knows none; and the tokens of both calls."""
    deadline_s = time.monotonic() + settings.timeout_s
    try:
        return _spend(provider, prompt, budget, settings, game, deadline_s)
    except StatusError as error:
        if not error.is_about_schema:
            raise
    answer, tokens = _spend(provider, prompt, budget, settings, None, deadline_s)
    return answer, tokens + prompt.tokens


def _spend(
    provider: Provider,
    prompt: Prompt,
    budget: MonthlyBudget,
    settings: CoachSettings,
    schema_of: str | None,
    deadline_s: float,
) -> tuple[Answer, int]:
    reserved = prompt.tokens + settings.max_reply_tokens
    budget.reserve(reserved)
    spent = prompt.tokens  # of a call that fails
    try:
        schema = None if schema_of is None else reply_schema(schema_of)
        answer = complete(provider, prompt, schema, settings.max_reply_tokens, deadline_s)
        spent = answer.tokens or reserved
        return answer, spent
    finally:
        budget.settle(reserved, spent)
