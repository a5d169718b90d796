"""Puts the web application together: state, routes, pages. Knows no sockets and nobody who may not ask."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from milton import __version__
from milton.webapi import bot_routes, play_routes, run_routes
from milton.webapi.networks import open_catalog
from milton.webapi.pages import PageFiles
from milton.webapi.problems import PROBLEM_RESPONSES, install_handlers
from milton.webapi.run_feed import Watchers
from milton.webapi.searching import SearchManager
from milton.webapi.served_run import ServedRun
from milton.webapi.server import ServeOptions
from milton.webapi.words import ReviewWords

API_DESCRIPTION = """Watch a run and play against its networks.

Streams: `/api/search` answers with one JSON object a line until its result, `/api/run/events` with
server-sent events without an end. Every refusal is a `Problem`.
"""


class Application(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """The API description, with refusals as JSON also where the answer itself would be a stream."""
        description = super().openapi()
        for operations in description["paths"].values():
            for operation in operations.values():
                for status, response in operation["responses"].items():
                    if int(status) >= 400:
                        response["content"] = {"application/json": next(iter(response["content"].values()))}
        return description


def create_app(options: ServeOptions | None = None) -> FastAPI:
    """The application alone: who may ask is not its business."""
    options = options or ServeOptions()
    app = Application(
        title="Milton",
        version=__version__,
        description=API_DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        responses=PROBLEM_RESPONSES,
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
        separate_input_output_schemas=False,
    )
    app.state.run = ServedRun(options.run, options.root)
    app.state.catalog = open_catalog(app.state.run, options.lab)
    app.state.searches = SearchManager(
        app.state.catalog, max_searches=options.max_searches, threads=options.threads
    )
    app.state.words = ReviewWords(app.state.run)
    app.state.bot_folder = options.bot
    app.state.watchers = Watchers()
    install_handlers(app)
    app.include_router(play_routes.router)
    app.include_router(run_routes.router)
    app.include_router(run_routes.runs_router)
    app.include_router(bot_routes.router)
    # Not a mounted route: that would answer wrong methods of the API's addresses too.
    app.router.default = PageFiles(options.static)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    giving_back = asyncio.create_task(app.state.searches.keep_giving_back())
    yield
    giving_back.cancel()
    app.state.searches.stop()
