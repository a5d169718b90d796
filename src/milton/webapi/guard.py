"""Who may ask, and how much: host names, origins, tokens, sizes, and headers on every answer.

Works below the framework, so that nothing (not even a missing page) is answered unguarded.
"""

import asyncio
import hmac
import ipaddress
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from milton.errors import RequestError
from milton.webapi.login import is_form, login_page, token_in_form, wants_page
from milton.webapi.problems import problem_of, problem_response
from milton.webapi.wrong_tokens import WrongTokens

MAX_BODY_BYTES = 1 << 20
COOKIE_NAME = "milton_session"
_UNAUTHORISED = 401
_SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; "  # chessground places its pieces so
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",  # with the line above: shared memory for wasm threads
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """ASGI middleware. Without a token anybody who reaches the server may ask: bind it to loopback then."""

    def __init__(self, app: ASGIApp, *, host_names: Iterable[str] = (), token: str | None = None) -> None:
        self._app = app
        self._host_names = {name.lower() for name in host_names} | {"localhost"}
        self._token = token
        # What the cookie holds instead of the token: worthless after a restart.
        self._session = secrets.token_urlsafe(32)
        self._wrong_tokens = WrongTokens()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded_send = _with_security_headers(send)
        try:
            _check_framing(headers)
            self._check_host(headers)
            _check_origin(headers, scope["path"])
            if self._token is not None:
                login = await self._login(scope, headers, receive, self._token)
                if login is not None:
                    await login(scope, receive, guarded_send)
                    return
            self._check_token(headers, _peer_of(scope))
            _check_length(headers)
        except RequestError as error:
            if isinstance(error, _WrongTokenError):
                await asyncio.sleep(self._wrong_tokens.failed(_peer_of(scope)))
            response: Response = problem_response(*problem_of(error))
            if error.status == _UNAUTHORISED and wants_page(scope, headers):
                is_wrong = isinstance(error, _WrongTokenError)
                response = login_page("That is not the token of this server." if is_wrong else "")
            if isinstance(error, _FramingError):
                response.headers["Connection"] = "close"
            await response(scope, receive, guarded_send)
            return
        await self._app(scope, _limited(receive), guarded_send)

    def _check_host(self, headers: Headers) -> None:
        """Another name for this machine is how a foreign page would reach it (DNS rebinding)."""
        host = _host_of(headers.get("host", ""))
        if not (host in self._host_names or _is_address(host)):
            raise RequestError(
                f"this server does not answer to the name {host[:100]!r}",
                status=403,
                hint="Use the address that the server printed when it started.",
                where="Host",
            )

    async def _login(self, scope: Scope, headers: Headers, receive: Receive, token: str) -> Response | None:
        """The token, typed into the login page or as ?token=… once: the browser keeps a cookie instead."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"] if scope["method"] == "GET" else []
        if is_form(scope, headers):
            given = [await token_in_form(receive)]
        if not given:
            return None
        if not _is_same(given[0], token):
            raise _unauthorised("the token is wrong", is_wrong=True)
        self._wrong_tokens.succeeded(_peer_of(scope))
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        # One slash: two would lead to another host.
        path = "/" + scope["path"].lstrip("/\\")
        response = RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)
        response.set_cookie(COOKIE_NAME, self._session, httponly=True, samesite="strict", path="/")
        return response

    def _check_token(self, headers: Headers, peer: str) -> None:
        cookie = _cookie(headers)
        if self._token is None or _is_same(cookie, self._session):
            return
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not _is_same(given.strip(), self._token):
            raise _unauthorised("this server asks for its token", is_wrong=bool(given))
        self._wrong_tokens.succeeded(peer)


def _check_origin(headers: Headers, path: str) -> None:
    """Pages of others may not use the API, whether or not they could read its answers. They may link here."""
    origin = headers.get("origin")
    host = headers.get("host", "").lower()
    # The whole origin: file://HOST is a page of unknown source.
    is_foreign = origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}")
    is_from_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if is_foreign or (is_from_elsewhere and path.startswith("/api")):
        raise RequestError(
            "a page of another origin may not ask this server",
            status=403,
            hint="Open the page from this server itself.",
            where="Origin",
        )


class _FramingError(RequestError):
    """Where the request ends is a matter of opinion, so nothing after it may be read."""


def _check_framing(headers: Headers) -> None:
    """A proxy that believes the other header would see another request begin in this one's body."""
    if "content-length" in headers and "transfer-encoding" in headers:
        raise _FramingError(
            "a request has a length or comes in chunks, not both",
            status=400,
            hint="Leave out Content-Length or Transfer-Encoding.",
            where="Transfer-Encoding",
        )


class _WrongTokenError(RequestError):
    """A token was shown, and it is another one."""


def _peer_of(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _unauthorised(message: str, *, is_wrong: bool) -> RequestError:
    kind = _WrongTokenError if is_wrong else RequestError
    return kind(
        message,
        status=_UNAUTHORISED,
        hint="Open the address with ?token=… once, or send it as a bearer token.",
        where="Authorization",
    )


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def _cookie(headers: Headers) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE_NAME)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _host_of(header: str) -> str:
    """Without the port; an IPv6 address without its brackets."""
    host = header.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _check_length(headers: Headers) -> None:
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
        raise _too_large()


def _too_large() -> RequestError:
    return RequestError(
        f"the request is larger than {MAX_BODY_BYTES:,} bytes", status=413, hint="Send less.", where="body"
    )


def _limited(receive: Receive) -> Receive:
    """Counts what really arrives: a length that is not announced is not checked elsewhere."""
    num_bytes = 0

    async def counted() -> Message:
        nonlocal num_bytes
        message = await receive()
        num_bytes += len(message.get("body", b""))
        if num_bytes > MAX_BODY_BYTES:
            # Not a RequestError: reading the body, the framework lets only its own error through.
            raise HTTPException(413, str(_too_large()))
        return message

    return counted


def _with_security_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY_HEADERS.items():
                headers.setdefault(name, value)  # the login page has a policy of its own
        await send(message)

    return guarded
