"""Addresses of runs: the served one, or with `?run=NAME` one beside it. Translates; run_reader reads."""

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi import Path as PathParameter
from fastapi.sse import EventSourceResponse

from milton.rundir import RunDir
from milton.webapi import coach_reader, replays, run_reader, runs_reader
from milton.webapi.coach_messages import CoachView
from milton.webapi.run_feed import RunFeed
from milton.webapi.run_messages import (
    GameList,
    IterationPage,
    ReplayGame,
    RunCurves,
    RunSnapshot,
    RunStreamMessage,
    RunSummary,
)

router = APIRouter(prefix="/api/run", tags=["run"])
_LARGEST = 999_999_999  # iteration; a number, so a path cannot be smuggled in


runs_router = APIRouter(prefix="/api/runs", tags=["run"])


@runs_router.get("")
def runs(request: Request) -> list[RunSummary]:
    """Every run in the folder of the one that is served, the newest first."""
    return runs_reader.list_runs(request.app.state.run)


@runs_router.get("/{name}/curves")
def run_curves(request: Request, name: Annotated[str, PathParameter(max_length=200)]) -> RunCurves:
    """The curves of one of them."""
    return runs_reader.curves_of(request.app.state.run, name)


RunName = Annotated[
    str, Query(alias="run", max_length=200, description="A run of GET /api/runs; default: the served one.")
]


def _open_run(request: Request, name: RunName = "") -> Iterator[RunDir]:
    with RunDir.open(request.app.state.run.path(name), writable=False) as run:
        yield run


async def _open_feed(
    request: Request,
    last_event_id: Annotated[str, Header(max_length=200, description="By browsers that reconnect.")] = "",
    after: Annotated[
        str, Query(max_length=200, description="The same, for pages that reconnect by themselves.")
    ] = "",
    name: RunName = "",
) -> AsyncIterator[RunFeed]:
    served = request.app.state.run
    if name or not served.may_come:
        served.path(name)  # refuses; otherwise the stream says so and waits
    with request.app.state.watchers.feed(partial(served.path, name), last_event_id or after) as feed:
        yield feed


OpenRun = Annotated[RunDir, Depends(_open_run)]
Iteration = Annotated[int, PathParameter(ge=0, le=_LARGEST)]


@router.get("")
def run(run: OpenRun) -> RunSnapshot:
    """Where the run stands."""
    return run_reader.snapshot(run)


@router.get("/events", response_class=EventSourceResponse)
async def run_events(feed: Annotated[RunFeed, Depends(_open_feed)]) -> AsyncIterator[RunStreamMessage]:
    """A snapshot, all rows, then whatever changes. Events that carry rows have an id to resume from."""
    async for event in feed.events():
        yield event  # type: ignore[misc]  # FastAPI unwraps it; the annotation describes its data


@router.get("/iterations")
def iterations(
    run: OpenRun,
    since: Annotated[int, Query(ge=1, le=_LARGEST)] = 1,
    limit: Annotated[int, Query(ge=1, le=run_reader.MAX_ROWS)] = run_reader.MAX_ROWS,
) -> IterationPage:
    """Rows from an iteration number on."""
    return run_reader.iteration_page(run, since, limit)


@router.get("/coach")
def coach(run: OpenRun) -> CoachView:
    """The coach's settings and its newest report."""
    return coach_reader.newest_coach(run)


@router.get("/iterations/{iteration}/coach")
def iteration_coach(run: OpenRun, iteration: Iteration) -> CoachView:
    """The report that weighed the iteration's training; it may be of an earlier iteration."""
    return coach_reader.coach_of_iteration(run, iteration)


@router.get("/iterations/{iteration}/games")
def iteration_games(run: OpenRun, iteration: Iteration) -> GameList:
    """The games of an iteration that were kept to look at: self-play, then arena."""
    return replays.list_games(run, iteration)


@router.get("/iterations/{iteration}/games/{index}")
def iteration_game(
    run: OpenRun, iteration: Iteration, index: Annotated[int, PathParameter(ge=0, le=_LARGEST)]
) -> ReplayGame:
    """One of them, to step through."""
    return replays.find_game(run, iteration, index)
