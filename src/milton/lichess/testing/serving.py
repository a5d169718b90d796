"""Serves a fake Lichess on a free port of this machine, in the caller's event loop."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette

from .fake_lichess import FakeLichess
from .routes import make_app


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.closing = asyncio.Event()

    async def main_loop(self) -> None:
        """Waits for the end, instead of looking for it ten times a second."""
        await self.closing.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to whoever runs the bot."""
        yield


@asynccontextmanager
async def serving(lichess: FakeLichess) -> AsyncIterator[str]:
    """The address, for as long as the body runs."""
    async with serving_app(make_app(lichess)) as address:
        try:
            yield address
        finally:
            lichess.close()


@asynccontextmanager
async def serving_app(app: Starlette) -> AsyncIterator[str]:
    """The same for any application."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="critical",  # cut streams are on purpose
            lifespan="off",
        )
        server = _Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.closing.set()
            server.force_exit = True  # nobody is served politely any more
            await task
