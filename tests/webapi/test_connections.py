"""Connections that say nothing, trickle or come in hundreds shut nobody out; guessing tokens gets slow."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import httpx2
import pytest
from patience import PATIENCE_S
from web_client import search_body, serving

from milton.webapi import connections
from milton.webapi.server import is_fault
from milton.webapi.wrong_tokens import LONGEST_PAUSE_S, MOST_PEERS, WrongTokens


@pytest.fixture
def hurried_client(monkeypatch) -> Iterator[httpx2.Client]:
    """A server that waits half a second for requests, from now on."""
    with serving() as client:
        client.get("/api/info")  # it is up
        monkeypatch.setattr(connections, "REQUEST_S", 0.5)
        yield client


def connect(client: httpx2.Client) -> socket.socket:
    connection = socket.create_connection((client.base_url.host, client.base_url.port))
    connection.settimeout(PATIENCE_S)
    return connection


def test_hundreds_of_silent_connections_shut_nobody_out(runless_client):
    with ExitStack() as stack:
        for _ in range(230):
            stack.enter_context(connect(runless_client))
        with httpx2.Client(base_url=runless_client.base_url, timeout=PATIENCE_S) as newcomer:
            assert newcomer.get("/api/info").status_code == 200


def test_a_request_that_could_end_in_two_places_is_refused_and_nothing_after_it_is_read(runless_client):
    """A proxy in front that believes the length would take the second request for a body."""
    smuggled = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\n\r\n"
    request = b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    with connect(runless_client) as connection:
        connection.sendall(request + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1\r\n"


@pytest.mark.parametrize("start", [b"", b"GET /api/in", HALF_A_REQUEST])
def test_a_request_that_does_not_arrive_ends_the_connection(hurried_client, start):
    with connect(hurried_client) as connection:
        connection.sendall(start)
        with suppress(ConnectionResetError):  # hung up on
            assert connection.recv(1) == b""


def test_a_body_that_does_not_arrive_ends_the_connection(hurried_client):
    head = b"POST /api/position HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connect(hurried_client) as connection:
        connection.sendall(head + b"Content-Length: 100\r\n\r\n{")
        with suppress(ConnectionResetError):
            while connection.recv(4096):
                pass


def test_an_answer_that_takes_longer_than_a_request_may_is_finished(hurried_client, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_S", 2.0)  # this request must arrive, on a busy machine too
    response = hurried_client.post("/api/search", json=search_body(moveTimeMs=3000))
    assert response.status_code == 200, response.text
    assert '"result"' in response.text


def test_each_wrong_token_makes_the_next_answer_wait_longer():
    guesses = WrongTokens()
    pauses = [guesses.failed("1.2.3.4") for _ in range(12)]
    assert pauses[:3] == [0.05, 0.1, 0.2]
    assert pauses[-1] == LONGEST_PAUSE_S
    assert guesses.failed("5.6.7.8") == 0.05, "another peer has done nothing"
    guesses.succeeded("1.2.3.4")
    assert guesses.failed("1.2.3.4") == 0.05
    for number in range(3 * MOST_PEERS):
        guesses.failed(str(number))
    assert len(guesses._counts) == MOST_PEERS


def test_a_stream_that_is_cut_when_the_server_ends_is_no_fault():
    cut, broken = asyncio.CancelledError("Task cancelled"), ZeroDivisionError()
    lines = [
        ("Cancel %s running task(s), timeout graceful shutdown exceeded", None),
        ("Exception in ASGI application", (type(cut), cut, None)),
        ("Exception in ASGI application", (type(broken), broken, None)),
    ]
    records = [logging.LogRecord("uvicorn.error", 40, "", 0, text, (), info) for text, info in lines]
    assert [is_fault(record) for record in records] == [False, False, True]
