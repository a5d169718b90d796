"""Requests to Lichess: throttles, retries, streams that reconnect. Knows HTTP, not what games are about.

| answer | what happens |
|---|---|
| 429 | the throttle closes for as long as asked, else a minute, doubling to ten; then it is tried again |
| 401 | TokenError: the bot cannot continue |
| other 4xx | RefusedError, not tried again |
| 3xx, 5xx, none | tried again with growing pauses, unless it must not happen twice; then UnreachableError |
"""

import asyncio
import email.utils
import json
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2

from milton import __version__
from milton.config import check_address, is_loopback, is_private_line
from milton.errors import ConfigError

from .failures import MalformedLineError, RateLimitedError, RefusedError, TokenError, UnreachableError
from .figures import Figures
from .throttle import Throttle
from .timing import Backoff, Timing

Event = TypeVar("Event")

NUM_ATTEMPTS = 6
MAX_ERROR_TEXT = 200
MAX_LINE_BYTES = 1 << 20  # the longest games on Lichess have some 6,000 characters of moves
MAX_BODY_BYTES = 8 << 20


class LichessClient:
    """One account on one server. Everything that plays shares it."""

    def __init__(
        self, base_url: str, token: str, timing: Timing | None = None, figures: Figures | None = None
    ) -> None:
        url = httpx2.URL(check_address(base_url, "lichess.base_url"))
        is_local = is_loopback(url.host)
        if not is_private_line(base_url):
            raise ConfigError(
                f"lichess.base_url must begin with https://, or others read the token: {base_url!r}"
            )
        self.timing = timing or Timing()
        self.figures = figures or Figures()
        self._token = token
        self._http = httpx2.AsyncClient(
            base_url=base_url,
            headers={
                "Authorization": f"Bearer {token}",
                "User-Agent": f"milton/{__version__}",
                "Accept-Encoding": "identity",
            },
            timeout=self.timing.request_timeout_s,
            # Each game holds a stream open; a limit here would be a second, hidden limit on games.
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20),
            # A proxy of the environment is for the outside world, not for a server on this machine.
            trust_env=not is_local,
            # Without TLS there is nothing to verify, and reading the certificates takes a while.
            verify=url.scheme == "https",
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    def new_throttle(self) -> Throttle:
        return Throttle(self.timing)

    # Single requests

    async def request(
        self,
        throttle: Throttle,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        body: str | None = None,
        patience_s: float = math.inf,
        num_attempts: int = NUM_ATTEMPTS,
    ) -> bytes:
        """The body of the answer. `patience_s`: give up with RateLimitedError if a limit lasts longer."""
        async with throttle:
            backoff = Backoff(self.timing)
            while True:
                await self._pass(throttle, path, patience_s)
                try:
                    return await self._attempt(throttle, method, path, form=form, query=query, body=body)
                except UnreachableError:
                    if backoff.num_failures + 1 >= num_attempts:
                        raise
                except RateLimitedError:
                    continue  # the throttle is closed: it decides
                self.figures.num_retries += 1
                await asyncio.sleep(backoff.next_s())

    async def _attempt(
        self,
        throttle: Throttle,
        method: str,
        path: str,
        *,
        form: Mapping[str, str] | None,
        query: Mapping[str, str] | None,
        body: str | None,
    ) -> bytes:
        self.figures.num_requests += 1
        try:
            async with (
                asyncio.timeout(self.timing.request_deadline_s),
                self._http.stream(method, path, data=form, params=query, content=body) as response,
            ):
                content = await _bounded_body(response)
        except (httpx2.HTTPError, TimeoutError) as error:
            raise self._unreachable(path, error) from error
        self._check(response, throttle, path, content.decode(errors="replace"))
        throttle.succeeded()
        return content

    # Streams

    async def follow(
        self,
        throttle: Throttle,
        path: str,
        read: Callable[[str], Event | None],
        max_bad_starts: int | None = None,
    ) -> AsyncGenerator[Event]:
        """Events of a stream for ever, over as many connections as it takes. RefusedError ends it.

        A reopened stream repeats what is current, so nothing is lost by leaving a connection. That is
        done after an unreadable line, once for each: it may have been an event.
        With `max_bad_starts`, a stream must begin with a readable line: MalformedLineError ends it when the
        first lines of so many connections in a row were unreadable.
        """
        backoff = Backoff(self.timing)
        unreadable: deque[str] = deque(maxlen=50)
        num_bad_starts = 0  # connections in a row whose first line was unreadable
        while True:
            connected_s, is_understood = time.monotonic(), False
            try:
                async with aclosing(self._lines(throttle, path)) as lines:
                    async for line in lines:
                        if time.monotonic() - connected_s > self.timing.stream_silence_s:
                            backoff.succeeded()  # a connection that lasts, even with empty lines only
                        try:
                            event = read(line) if line.strip() else None
                            if line.strip():
                                backoff.succeeded()
                                num_bad_starts, is_understood = 0, True
                        except MalformedLineError:
                            self.figures.num_malformed_lines += 1
                            num_bad_starts += 0 if is_understood else 1
                            if max_bad_starts is not None and num_bad_starts >= max_bad_starts:
                                raise
                            if line in unreadable and (is_understood or max_bad_starts is None):
                                continue
                            unreadable.append(line)
                            break
                        if event is not None:
                            yield event
            except (UnreachableError, RateLimitedError):
                pass
            self.figures.num_reconnects += 1
            await asyncio.sleep(backoff.next_s())

    async def all_lines(self, throttle: Throttle, path: str, query: Mapping[str, str]) -> list[str]:
        """The lines of a stream that ends by itself."""
        text = await self.request(throttle, "GET", path, query=query)
        return text.decode(errors="replace").splitlines()

    async def _lines(self, throttle: Throttle, path: str) -> AsyncGenerator[str]:
        """The lines of one connection, empty ones included. Silence counts as a broken connection."""
        silence = httpx2.Timeout(self.timing.request_timeout_s, read=self.timing.stream_silence_s)
        async with throttle:
            await self._pass(throttle, path, math.inf)
            self.figures.num_requests += 1
        try:
            async with self._http.stream("GET", path, timeout=silence) as response:
                text = (await _bounded_body(response)).decode(errors="replace") if response.is_error else ""
                self._check(response, throttle, path, text)
                if response.headers.get("Content-Type", "").startswith("text/html"):
                    # A gateway's page with status 200: no stream, whatever it says.
                    raise UnreachableError(f"{path}: expected a stream of JSON lines, got a web page")
                throttle.succeeded()
                async with aclosing(_bounded_lines(response)) as lines:
                    async for line in lines:
                        yield line
        except httpx2.HTTPError as error:
            raise self._unreachable(path, error) from error

    # Answers

    async def _pass(self, throttle: Throttle, path: str, patience_s: float) -> None:
        wait_s = throttle.closed_for_s
        if wait_s > patience_s:
            raise RateLimitedError(f"{path}: Lichess asks to wait {wait_s:.0f} s", wait_s)
        if wait_s > 0:
            await asyncio.sleep(wait_s)

    def _check(self, response: httpx2.Response, throttle: Throttle, path: str, text: str) -> None:
        """Raises for every answer but success."""
        status = response.status_code
        if status < 300:
            return
        said = self._without_token(f"{path}: Lichess answered {status}: {_error_text(text)}")
        if status == 429:
            self.figures.num_rate_limited += 1
            wait_s = throttle.close(_asked_wait_s(response.headers.get("Retry-After"), text))
            raise RateLimitedError(said, wait_s)
        if status == 401:
            raise TokenError(f"{said}; the token is wrong or was revoked: make a new one")
        if status >= 500 or status < 400:  # a redirect is a gateway's; nobody follows it with a token
            raise UnreachableError(said)
        raise RefusedError(said, status)

    def _unreachable(self, path: str, error: Exception) -> UnreachableError:
        return UnreachableError(self._without_token(f"{path}: {type(error).__name__} {error}".strip()))

    def _without_token(self, text: str) -> str:
        return text.replace(self._token, "(token)")


async def _chunks(response: httpx2.Response) -> AsyncGenerator[bytes]:
    """As they arrive. Compressed answers are refused: a few bytes could become gigabytes."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding != "identity":
        raise UnreachableError(f"expected an answer without compression, got {encoding[:40]!r}")
    async for chunk in response.aiter_raw():
        yield chunk


async def _bounded_body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async with aclosing(_chunks(response)) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise UnreachableError(f"expected an answer of at most {MAX_BODY_BYTES:,} bytes, got more")
    return bytes(body)


async def _bounded_lines(response: httpx2.Response) -> AsyncGenerator[str]:
    """Lines without their ends; a line that does not end within MAX_LINE_BYTES breaks the connection."""
    rest = bytearray()  # grows in place: a line may come byte by byte
    async with aclosing(_chunks(response)) as chunks:
        async for chunk in chunks:
            first, *others = chunk.split(b"\n")
            rest += first
            if max(map(len, (rest, *others))) > MAX_LINE_BYTES:
                raise UnreachableError(
                    f"expected lines of at most {MAX_LINE_BYTES:,} bytes, got a longer one"
                )
            for line in others:
                yield rest.decode(errors="replace").rstrip("\r")
                rest = bytearray(line)
    if rest:
        yield rest.decode(errors="replace")


def _error_text(text: str) -> str:
    """What an answer says is wrong: usually {"error": "…"}, but gateways answer with pages."""
    values = _json(text)
    if isinstance(values, dict) and "error" in values:
        text = str(values["error"])
    return " ".join(text.split())[:MAX_ERROR_TEXT]


def _asked_wait_s(retry_after: str | None, text: str) -> float | None:
    """From the header Retry-After (seconds or a date), else from the body; None if neither says."""
    if retry_after is not None:
        seconds = _finite(retry_after)
        if seconds is not None:
            return seconds
        try:
            return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (ValueError, OverflowError):
            pass
    try:
        return _finite(_json(text)["ratelimit"]["seconds"])
    except (TypeError, KeyError):
        return None


def _json(text: str) -> Any:
    """None for what is no JSON, or nested too deeply to be an answer."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _finite(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
