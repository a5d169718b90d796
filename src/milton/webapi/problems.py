"""Every refusal as one JSON object: what is wrong, what to do, where. Bugs say nothing of themselves."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from milton.errors import (
    ArgumentError,
    CheckpointError,
    CoachError,
    IllegalMoveError,
    MiltonError,
    NotationError,
    RecordError,
    RequestError,
    RunError,
    ShardError,
)
from milton.webapi.play_messages import Problem, StreamProblem

# What to do about errors of the rooms below; their messages say what is wrong.
_HINTS: dict[type[MiltonError], tuple[int, str]] = {
    NotationError: (422, "Check the position's text field by field."),
    IllegalMoveError: (422, "Check the moves; they are written in the notation of the core (UCI for chess)."),
    ArgumentError: (422, "Change the value and ask again."),
    CheckpointError: (422, "Choose another network."),
    RunError: (404, "Choose another run or iteration, or wait until the loop has got there."),
    ShardError: (404, "Choose another game."),
    RecordError: (404, "Choose another game."),
    CoachError: (404, "The loop makes another report; `milton coach --run` makes one now."),
}
_HINTS_OF_STATUS = {
    404: "Check the address.",
    405: "Use the method that the API description names.",
}
# The API description lists these for every operation.
PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": description}
    for status, description in {
        400: "The request cannot be read",
        401: "A token is needed",
        403: "The page or host that asks may not",
        404: "There is no such thing",
        413: "The request is too large",
        422: "Something in the request is wrong",
        429: "Too many searches or watchers at once",
    }.items()
}


def problem_of(error: MiltonError) -> tuple[int, Problem]:
    """Status and body of a refusal."""
    message = " ".join(str(error).split())
    if isinstance(error, RequestError):
        return error.status, Problem(message=message, hint=error.hint, where=error.where)
    status, hint = next((found for kind, found in _HINTS.items() if isinstance(error, kind)), (500, ""))
    return status, Problem(message=message, hint=hint, where="")


def stream_problem(error: MiltonError) -> StreamProblem:
    """The same where an answer has begun already."""
    return StreamProblem(**dict(problem_of(error)[1]))


def problem_response(status: int, problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem.model_dump(), status_code=status, headers=headers)


def install_handlers(app: FastAPI) -> None:
    @app.exception_handler(MiltonError)
    async def refuse(_request: Request, error: MiltonError) -> JSONResponse:
        status, problem = problem_of(error)
        return problem_response(status, problem, {"Retry-After": "1"} if status == 429 else None)

    @app.exception_handler(RequestValidationError)
    async def explain(_request: Request, error: RequestValidationError) -> JSONResponse:
        return problem_response(422, _validation_problem(error.errors()))

    @app.exception_handler(HTTPException)
    async def translate(_request: Request, error: HTTPException) -> JSONResponse:
        hint = _HINTS_OF_STATUS.get(error.status_code, "Check the request.")
        problem = Problem(message=str(error.detail), hint=hint, where="")
        return problem_response(error.status_code, problem, dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def apologise(_request: Request, _error: Exception) -> JSONResponse:
        # Starlette raises the error again after the answer, so that its traceback reaches the log.
        return problem_response(
            500, Problem(message="the server failed", hint="Its log has the reason.", where="")
        )


def _validation_problem(errors: Sequence[Any]) -> Problem:
    """The first fault. The value itself is not repeated: it may be huge."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = str(first["msg"]).removeprefix("Value error, ")
    return Problem(
        message=f"{where}: {message}" if where else message,
        hint="The API description at /api/openapi.json has the names and limits of all fields.",
        where=where,
    )
