import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
import short_loop
from web_client import Event, run_events, serving

from milton.rundir import RunDir

NUM_ITERATIONS = 3


@dataclass(frozen=True)
class WatchedLoop:
    path: Path
    events: tuple[Event, ...]


@pytest.fixture(scope="session")
def watched_loop(tmp_path_factory: pytest.TempPathFactory) -> WatchedLoop:
    """A loop in another process, a few small iterations of Connect Four, and what a page saw of it."""
    path = tmp_path_factory.mktemp("runs") / "learnt"
    # Self-play lasts longer than the time between two looks, however quick the machine.
    lasting = {"loop.samples_per_iter": 4000, "selfplay.simulations": 200, "selfplay.fast_simulations": 200}
    with RunDir.create(path, short_loop.tiny_settings(**lasting)):
        pass
    program = [sys.executable, short_loop.__file__, str(path), str(NUM_ITERATIONS)]
    with serving(run=path) as client, client.stream("GET", "/api/run/events") as response:
        with subprocess.Popen(program, stdout=subprocess.DEVNULL) as loop:
            try:
                events = tuple(_until_it_is_over(run_events(response)))
            finally:
                loop.terminate()
        return WatchedLoop(path, events)


def _until_it_is_over(events: Iterator[Event]) -> Iterator[Event]:
    for event in events:
        yield event
        view = event.message.get("run")
        if view and view["latestIteration"] == NUM_ITERATIONS and not view["isRunning"]:
            return


@pytest.fixture(scope="session")
def learnt_run(watched_loop: WatchedLoop) -> Path:
    return watched_loop.path


@pytest.fixture(scope="session")
def client(learnt_run: Path) -> Iterator[httpx2.Client]:
    with serving(run=learnt_run) as found:
        yield found


@pytest.fixture(scope="session")
def runless_client() -> Iterator[httpx2.Client]:
    with serving() as found:
        yield found
