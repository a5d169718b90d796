"""One bounded call of an OpenAI-compatible API: size, time and what is believed of the answer have limits.

Messages of errors are ours: a server's own words could hold anything, the key included.
"""

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from milton.errors import CoachError, ExtraMissingError

from .prompt import Prompt
from .providers import Provider

if TYPE_CHECKING:
    from openai import OpenAI

_CONNECT_S = 10.0
_MOST_TOKENS = 100_000_000  # a usage beyond this is not believed
# Statuses of servers that know no structured output.
_NO_SCHEMA_STATUSES = (400, 404, 415, 422, 501)


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    total_tokens: int | None = None


class _Completion(BaseModel):
    """What is read of a chat completion; everything else is left aside."""

    choices: list[_Choice]
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    tokens: int | None  # what the server says it took; None if it says nothing believable


class StatusError(CoachError):
    """The server answered with an error."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.is_about_schema = status in _NO_SCHEMA_STATUSES


def complete(
    provider: Provider, prompt: Prompt, schema: dict[str, Any] | None, max_tokens: int, timeout_s: float
) -> Answer:
    """The model's text; CoachError for everything that can go wrong on the way."""
    try:
        import httpx2
        import openai
    except ImportError as error:
        raise ExtraMissingError(
            f"coach.provider {provider.name!r} needs the extra `coach`: pip install 'milton[coach]'"
        ) from error
    where = f"{provider.name} at {provider.host}"
    try:
        with _client(provider, timeout_s) as client:
            body = _read_bounded(client, provider, prompt, schema, max_tokens, timeout_s)
    except openai.APIStatusError as error:
        raise StatusError(f"{where} answered with status {error.status_code}", error.status_code) from None
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise CoachError(f"{where} did not answer within {timeout_s:g} s") from None
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise CoachError(f"{where} could not be asked: {type(error).__name__}") from None
    return _answer(body, where)


def _client(provider: Provider, timeout_s: float) -> "OpenAI":
    import httpx2
    import openai

    timeout = httpx2.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s))
    return openai.OpenAI(
        api_key=provider.key or "none",
        base_url=provider.base_url,
        max_retries=0,  # the next report is its own retry; waiting here would hold the loop up
        # Redirects could carry the prompt elsewhere; compressed replies could be larger than they look.
        http_client=openai.DefaultHttpxClient(timeout=timeout, follow_redirects=False),
        default_headers={"Accept-Encoding": "identity"},
    )


def _read_bounded(
    client: "OpenAI",
    provider: Provider,
    prompt: Prompt,
    schema: dict[str, Any] | None,
    max_tokens: int,
    timeout_s: float,
) -> bytes:
    deadline = time.monotonic() + timeout_s
    most_bytes = 65_536 + 16 * max_tokens
    limit = "max_completion_tokens" if provider.name == "openai" else "max_tokens"
    more: dict[str, Any] = {limit: max_tokens}
    if schema is not None:
        named = {"name": "weakness_report", "strict": True, "schema": schema}
        more["response_format"] = {"type": "json_schema", "json_schema": named}
    body = b""
    with client.chat.completions.with_streaming_response.create(
        model=provider.model,
        messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
        extra_body=more,
    ) as response:
        for chunk in response.iter_bytes(16_384):
            body += chunk
            if len(body) > most_bytes:
                raise CoachError(f"{provider.name} answered with more than {most_bytes:,} bytes")
            if time.monotonic() > deadline:
                raise CoachError(f"{provider.name} took longer than {timeout_s:g} s to answer")
    return body


def _answer(body: bytes, where: str) -> Answer:
    try:
        completion = _Completion.model_validate(json.loads(body))
    except (ValueError, RecursionError):  # ValidationError is a ValueError
        raise CoachError(f"{where} answered with something that is no chat completion") from None
    if not completion.choices:
        raise CoachError(f"{where} answered without a choice")
    choice = completion.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise CoachError(f"{where} refused to answer")
    if choice.finish_reason == "length":
        raise CoachError(f"{where} ran out of tokens; raise coach.max_reply_tokens")
    if not choice.message.content:
        raise CoachError(f"{where} answered with nothing")
    tokens = completion.usage.total_tokens if completion.usage else None
    return Answer(choice.message.content, tokens if tokens and 0 < tokens < _MOST_TOKENS else None)
