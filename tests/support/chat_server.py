"""A server on loopback that speaks the chat-completions API and misbehaves as it is told."""

import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from milton.config import CoachSettings, Secret

KEY = "sk-loopback-3141592653"


def asking(base_url: str, **changes: object) -> CoachSettings:
    """Settings of a coach that asks such a server."""
    values = {
        "provider": "loopback",
        "model": "parrot",
        "base_url": base_url,
        "api_key": Secret("env:LOOPBACK_API_KEY"),
        "timeout_s": 300.0,
    }
    return CoachSettings(**(values | changes))


def weakness(**changes: Any) -> dict[str, Any]:
    """A suggestion for Connect Four as a model should make it."""
    return {
        "category": "tactical awareness",
        "description": "overlooks threats",
        "severity": 0.75,
        "conditions": [{"trait": "opponent_threats", "at_least": 1, "at_most": None}],
        "opening": [],
    } | changes


def reply_of(*weaknesses: dict[str, Any]) -> str:
    return json.dumps({"weaknesses": list(weaknesses)})


def completion(content: str | None, **changes: Any) -> Response:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    body = {
        "id": "1",
        "object": "chat.completion",
        "choices": [choice],
        "usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100},
    }
    return JSONResponse(body | changes)


def refusal() -> Response:
    message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    return completion(None, choices=[{"index": 0, "finish_reason": "stop", "message": message}])


async def _never() -> AsyncIterator[bytes]:
    yield b" "
    await anyio.sleep_forever()


async def _many() -> AsyncIterator[bytes]:
    for _ in range(200):
        yield b" " * 65_536


def silence() -> Response:
    """Headers and one byte, then nothing: the client's clock must end it."""
    return StreamingResponse(_never(), media_type="application/json")


def flood(code: int = 200) -> Response:
    return StreamingResponse(_many(), media_type="application/json", status_code=code)


def status(code: int) -> Response:
    """An error page that repeats the key, as some servers do."""
    return PlainTextResponse(f"bad key {KEY}", status_code=code, headers={"retry-after": "3600"})


@dataclass
class ChatServer:
    """`answers` are given one after the other, the last one for ever."""

    answers: list[Callable[[], Response]]
    base_url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    async def respond(self, request: Request) -> Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers.get("authorization", ""))
        return self.answers[min(len(self.requests), len(self.answers)) - 1]()


@contextmanager
def chat_server(*answers: Callable[[], Response]) -> Iterator[ChatServer]:
    chat = ChatServer(list(answers))
    app = Starlette(routes=[Route("/v1/chat/completions", chat.respond, methods=["POST"])])
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))  # connections wait here until the server is up
    chat.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()
