"""Addresses of the Lichess bot's scoreboard. Translates; bot_reader reads."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter

from milton.webapi import bot_reader
from milton.webapi.bot_messages import BotView
from milton.webapi.run_messages import ReplayGame

router = APIRouter(prefix="/api/bot", tags=["bot"])


@router.get("")
def bot(request: Request) -> BotView | None:
    """The Lichess bot: what it does now and its finished games; null while there is none."""
    return bot_reader.read_bot(request.app.state.bot_folder)


@router.get("/games/{game_id}")
def bot_game(
    request: Request, game_id: Annotated[str, PathParameter(pattern=r"^[A-Za-z0-9]{1,40}$")]
) -> ReplayGame:
    """One of them, to step through."""
    return bot_reader.read_bot_game(request.app.state.bot_folder, game_id)
