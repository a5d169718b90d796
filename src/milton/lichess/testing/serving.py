"""Serves a fake Lichess on a free port of this machine, in the caller's event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from .routes import make_app
from .world import FakeLichess


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to whoever runs the bot."""
        yield


@asynccontextmanager
async def serving(lichess: FakeLichess) -> AsyncIterator[str]:
    """The address, for as long as the body runs."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            make_app(lichess),
            log_config=None,
            log_level="critical",  # cut streams are on purpose
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            lichess.close()
            server.should_exit = True
            await task
