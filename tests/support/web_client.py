"""A real web server on loopback and a real client, for tests."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from patience import PATIENCE_S

from milton.webapi.server import BackgroundServer, ServeOptions, bind

CHESS = {"game": "chess", "start": None, "moves": []}


@contextmanager
def serving(**options: Any) -> Iterator[httpx2.Client]:
    """A client of a server with these options."""
    server = BackgroundServer(bind("127.0.0.1", 0), ServeOptions(**options))
    try:
        with httpx2.Client(base_url=server.url, timeout=PATIENCE_S) as client:
            yield client
    finally:
        server.close()


@dataclass(frozen=True)
class Event:
    id: str | None
    message: Any

    @property
    def kind(self) -> str:
        return str(self.message["kind"])


def run_events(response: httpx2.Response) -> Iterator[Event]:
    """Server-sent events as they arrive."""
    assert response.headers["content-type"].startswith("text/event-stream")
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield Event(fields.get("id"), json.loads(fields["data"]))
            fields = {}


def search_body(record: Any = CHESS, network: str = "uniform", **limits: Any) -> dict[str, Any]:
    return {"record": record, "network": network, "limits": limits}


def wait_until(condition: Callable[[], bool]) -> None:
    """Asks again and again; the condition itself takes a round trip to a server."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"


def assert_problem(response: httpx2.Response, status: int) -> dict[str, str]:
    """Every refusal looks alike."""
    assert response.status_code == status, response.text
    problem: dict[str, str] = response.json()
    assert problem.keys() == {"message", "hint", "where"}
    assert problem["message"]
    assert problem["hint"]
    return problem
