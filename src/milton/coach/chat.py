"""One bounded call of an OpenAI-compatible API: size, time and what is believed of the answer have limits.

Messages of errors are ours: a server's own words could hold anything, the key included.
"""

import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic import BaseModel

from milton.config import is_loopback
from milton.errors import CoachError
from milton.extras import missing_extra

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


class _BoundedStream(httpx2.SyncByteStream):
    """A body, of an answer or of an error page, that is neither too large nor compressed.

    A few kilobytes that were compressed twice can become gigabytes.
    """

    def __init__(self, stream: httpx2.SyncByteStream, most_bytes: int, encoding: str) -> None:
        self._stream = stream
        self._most_bytes = most_bytes
        self._encoding = encoding

    def __iter__(self) -> Iterator[bytes]:
        if self._encoding not in ("", "identity"):
            raise CoachError(
                f"the provider compressed its answer ({self._encoding[:40]!r}), which is refused"
            )
        num_bytes = 0
        for chunk in self._stream:
            num_bytes += len(chunk)
            if num_bytes > self._most_bytes:
                raise CoachError(f"the provider answered with more than {self._most_bytes:,} bytes")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class _Line:
    """The sockets of one call, so that another thread can hang up: a read in progress ends at once."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._is_over = False
        self._lock = threading.Lock()

    def watch(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = self._on_trace

    def hang_up(self) -> None:
        with self._lock:
            self._is_over = True
            for connected in self._sockets:
                with suppress(OSError):  # closed already, or wrapped by TLS since
                    connected.shutdown(socket.SHUT_RDWR)

    def _on_trace(self, name: str, info: dict[str, Any]) -> None:
        if name not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        with self._lock:
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            is_over = self._is_over
        if is_over:
            self.hang_up()


def complete(
    provider: Provider, prompt: Prompt, schema: dict[str, Any] | None, max_tokens: int, deadline_s: float
) -> Answer:
    """The model's text, until `deadline_s` of time.monotonic; CoachError for all that can go wrong.

    The call has a thread of its own: a server that trickles its headers, or says `100 Continue` for ever,
    keeps every single read short, and only somebody who does not read can end that.
    """
    seconds = max(0.0, deadline_s - time.monotonic())
    answers: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()
    line = _Line()

    def call() -> None:
        try:
            answers.put(_call(provider, prompt, schema, max_tokens, seconds, line))
        except Exception as error:  # noqa: BLE001 -- raised again in the caller's thread
            answers.put(error)

    threading.Thread(target=call, name="coach-call", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        line.hang_up()
        where = f"{provider.name} at {provider.host}"
        raise CoachError(f"{where} took longer than coach.timeout_s to answer") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _call(
    provider: Provider,
    prompt: Prompt,
    schema: dict[str, Any] | None,
    max_tokens: int,
    timeout_s: float,
    line: _Line,
) -> Answer:
    try:
        import openai
    except ImportError as error:
        raise missing_extra("coach", f"coach.provider {provider.name!r}") from error
    where = f"{provider.name} at {provider.host}"
    try:
        with (
            _client(provider, 65_536 + 16 * max_tokens, timeout_s, line) as client,
            client.chat.completions.with_streaming_response.create(
                model=provider.model,
                messages=[
                    {"role": "system", "content": prompt.system},
                    {"role": "user", "content": prompt.user},
                ],
                extra_body=_options(provider, schema, max_tokens),
            ) as response,
        ):
            body = response.read()
    except openai.APIStatusError as error:
        raise StatusError(f"{where} answered with status {error.status_code}", error.status_code) from None
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise CoachError(f"{where} did not answer within {timeout_s:g} s") from None
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise CoachError(f"{where} could not be asked: {type(error).__name__}") from None
    return _answer(body, where)


def _client(provider: Provider, most_bytes: int, timeout_s: float, line: _Line) -> "OpenAI":
    import openai

    def bound(response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.SyncByteStream)
        encoding = response.headers.pop("Content-Encoding", "").strip().lower()  # nothing is decompressed
        response.stream = _BoundedStream(response.stream, most_bytes, encoding)

    return openai.OpenAI(
        api_key=provider.key or "none",
        base_url=provider.base_url,
        max_retries=0,  # the next report is its own retry; waiting here would hold the loop up
        http_client=openai.DefaultHttpxClient(
            timeout=httpx2.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
            follow_redirects=False,  # a redirect could carry the prompt elsewhere
            event_hooks={"request": [line.watch], "response": [bound]},
            # A proxy of the environment is for the outside world: it must not see what stays on this machine.
            trust_env=not is_loopback(provider.host),
        ),
        default_headers={"Accept-Encoding": "identity"},  # compressed answers are larger than they look
    )


def _options(provider: Provider, schema: dict[str, Any] | None, max_tokens: int) -> dict[str, Any]:
    limit = "max_completion_tokens" if provider.name == "openai" else "max_tokens"
    options: dict[str, Any] = {limit: max_tokens}
    if schema is not None:
        named = {"name": "reply", "strict": True, "schema": schema}
        options["response_format"] = {"type": "json_schema", "json_schema": named}
    return options


def _answer(body: bytes, where: str) -> Answer:
    try:
        completion = _Completion.model_validate(json.loads(body))
    except (ValueError, RecursionError):  # ValidationError is a ValueError
        raise CoachError(f"{where} answered with something that is not a chat completion") from None
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
