"""The page on which a person types the token. Needs no file of the built page: those are for who is in.

Knows nothing of tokens themselves; the guard compares them.
"""

import base64
import hashlib
from html import escape
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope

_FORM_TYPE = "application/x-www-form-urlencoded"
_MAX_FORM_BYTES = 4096
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f5f1e8; color: #211f1a;
  font: 400 1rem/1.5 system-ui, sans-serif; }
main { width: min(24rem, calc(100vw - 2rem)); }
h1 { font: 500 2rem/1.2 Georgia, serif; margin: 0 0 .5rem; }
form { display: grid; gap: .5rem; margin: 1.5rem 0; }
input, button { font: inherit; min-height: 2.75rem; padding: 0 .75rem; border-radius: 6px; }
input { border: 1px solid #8d8570; }
input { background: #fffdf8; color: inherit; }
button { background: #1d5b4c; border: 0; color: #fff; font-weight: 600; cursor: pointer; }
.wrong { color: #9a2f22; font-weight: 600; }
.hint { font-size: .875rem; color: #565142; }
@media (prefers-color-scheme: dark) {
  body { background: #141614; color: #ece8dd; }
  input { background: #1c1f1d; }
  button { background: #7fcbb2; color: #10211c; }
  .wrong { color: #f0978a; }
  .hint { color: #b9b8ab; }
}
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    # With no-referrer a browser sends its form from the origin "null", which is refused.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Milton: sign in</title><style>{style}</style></head>
<body><main>
<h1>Milton</h1>
<p>This server asks for its token.</p>
{remark}
<form method="post">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button type="submit">Open</button>
</form>
<p class="hint">It is the value of the environment variable that <code>milton serve --token env:NAME</code>
names. A program sends it as a bearer token.</p>
</main></body>
</html>
"""


def wants_page(scope: Scope, headers: Headers) -> bool:
    """A browser that opens an address, not a program or a script that asks the API."""
    is_api = scope["path"] == "/api" or scope["path"].startswith("/api/")
    return not is_api and "text/html" in headers.get("accept", "")


def login_page(remark: str = "") -> HTMLResponse:
    words = f'<p class="wrong" role="alert">{escape(remark)}</p>' if remark else ""
    return HTMLResponse(_PAGE.format(style=_STYLE, remark=words), status_code=401, headers=_HEADERS)


def is_form(scope: Scope, headers: Headers) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return scope["method"] == "POST" and kind == _FORM_TYPE and wants_page(scope, headers)


async def token_in_form(receive: Receive) -> str:
    """What was typed; nothing where the form is longer than any token."""
    body: bytes = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or len(body) > _MAX_FORM_BYTES:
            return ""
        if not message.get("more_body", False):
            break
    typed: str = parse_qs(body.decode("latin-1")).get("token", [""])[0]
    return typed
