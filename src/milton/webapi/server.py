"""Serves the application on a socket: in the foreground, or in a thread of its own beside a loop.

The web framework is imported only when serving begins, so that binding a socket costs a loop nothing.
"""

import asyncio
import ipaddress
import logging
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from milton.config import Secret, is_loopback
from milton.errors import ArgumentError, ConfigError

if TYPE_CHECKING:
    import uvicorn

DEFAULT_HOST = "127.0.0.1"
DEFAULT_MAX_SEARCHES = 4
STATIC = Path(__file__).parent / "static"
SHORTEST_TOKEN = 16  # characters
_PORTS_TRIED = 20
_MAX_CONNECTIONS = 200
_GOODBYE_S = 1  # for streams that are open when the server ends
_JOIN_S = 5.0


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What is served, and to whom."""

    run: Path | None = None
    root: Path | None = None  # without a run: where one may appear that is served then
    lab: tuple[Path, ...] = ()  # files and folders of lab methods, beside the lab's own folder
    bot: Path | None = None  # where the Lichess bot keeps its games
    host: str = DEFAULT_HOST
    token: Secret | None = None
    threads: int = 1  # of each search
    max_searches: int = DEFAULT_MAX_SEARCHES
    static: Path = STATIC  # the built page

    def resolved_token(self) -> str | None:
        """The token itself; refuses to serve strangers without a good one."""
        if self.token is None or not self.token:
            if not is_loopback(self.host):
                raise ConfigError(
                    f"serving on {self.host!r} lets others in: name a token with --token env:NAME, "
                    f"or serve on {DEFAULT_HOST}"
                )
            return None
        token = self.token.resolve()
        if len(token) < SHORTEST_TOKEN:
            raise ConfigError(f"the token in {self.token} must have at least {SHORTEST_TOKEN} characters")
        return token


def bind(host: str, port: int, *, ports_tried: int = 1) -> socket.socket:
    """A listening socket on the first free of a few ports; 0 takes any."""
    for candidate in range(port, port + ports_tried):
        try:
            family = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, candidate), family=family)
        except (OSError, OverflowError) as error:
            last = error
    last_port = port + ports_tried - 1
    ports = f"port {port}" if ports_tried == 1 else f"ports {port} to {last_port}"
    raise ArgumentError(f"cannot serve on {host}, {ports}: {last}; choose another with --port") from last


def url_of(bound: socket.socket) -> str:
    """The address to open; a server on all addresses is reached by this machine's name."""
    host, port = bound.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(bound: socket.socket, options: ServeOptions) -> None:
    """Blocks until the process is asked to end."""
    _make_server(options).run(sockets=[bound])


class BackgroundServer:
    """The same server in its own thread. If it fails, its starter continues."""

    def __init__(self, bound: socket.socket, options: ServeOptions) -> None:
        self.url = url_of(bound)
        self._bound = bound
        self._options = options
        self._server: uvicorn.Server | None = None
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="web server", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closing = True
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(_JOIN_S)
        self._bound.close()

    def _run(self) -> None:
        # Here and not before: a loop need not wait for the web framework to be imported.
        self._server = _make_server(self._options)
        if not self._is_closing:
            self._server.run(sockets=[self._bound])


def start_dashboard(run: Path, port: int, bot: Path | None = None) -> BackgroundServer:
    """The page of a run beside its loop, on `port` or one of the next that is free."""
    bound = bind(DEFAULT_HOST, port, ports_tried=1 if port == 0 else _PORTS_TRIED)
    return BackgroundServer(bound, ServeOptions(run=run, bot=bot))


def is_fault(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's log tells of a fault. A stream that is cut when the server ends is none,
    and no reason for a traceback in the terminal."""
    is_cut = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not is_cut and "timeout graceful shutdown exceeded" not in record.msg


def _make_server(options: ServeOptions) -> "uvicorn.Server":
    import uvicorn

    from milton.webapi.app import create_app
    from milton.webapi.connections import BoundedConnection
    from milton.webapi.guard import Guard

    guarded = Guard(
        create_app(options),
        host_names=(options.host, socket.gethostname()),
        token=options.resolved_token(),
    )
    logging.getLogger("uvicorn.error").addFilter(is_fault)
    config = uvicorn.Config(
        guarded,
        loop="asyncio",
        http=BoundedConnection,
        ws="none",
        log_config=None,
        log_level="error",
        access_log=False,  # addresses may hold the token
        server_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=_GOODBYE_S,
    )
    return uvicorn.Server(config)
