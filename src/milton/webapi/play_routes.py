"""Addresses of games, networks and searches. Translates; the rooms below decide."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from milton import __version__
from milton.config import GAME_NAMES, GameName
from milton.play import HIGHEST_LEVEL, LOWEST_LEVEL, level_table
from milton.webapi import transfer
from milton.webapi.play_messages import (
    ExportedGame,
    ExportRequest,
    GameMoves,
    ImportRequest,
    LevelInfo,
    LevelsInfo,
    NetworkInfo,
    PositionView,
    Reason,
    ReasonRequest,
    SearchMessage,
    SearchRequest,
    ServerInfo,
    TreeNode,
    TreeRequest,
)
from milton.webapi.positions import view_of
from milton.webapi.reasons import compare_lines
from milton.webapi.searching import PageSearch
from milton.webapi.words_messages import Words, WordsInfo, WordsRequest

router = APIRouter(prefix="/api", tags=["play"])


@router.get("/info")
def info(request: Request) -> ServerInfo:
    """What this server is and how busy."""
    state = request.app.state
    run = state.run.find()
    return ServerInfo(
        version=__version__,
        games=list(GAME_NAMES),
        lowest_level=LOWEST_LEVEL,
        highest_level=HIGHEST_LEVEL,
        run=None if run is None else run.resolve().name,
        active_searches=state.searches.num_active,
        max_searches=state.searches.max_searches,
        num_searches=state.searches.num_searches,
        num_watchers=state.watchers.number,
    )


@router.get("/networks")
def networks(request: Request, game: Annotated[GameName, Query()]) -> list[NetworkInfo]:
    """Whom a page can play with, the best first."""
    found: list[NetworkInfo] = request.app.state.catalog.list(game)
    return found


@router.get("/levels")
def levels(game: Annotated[GameName, Query()]) -> LevelsInfo:
    """How strong each level is."""
    table = level_table(game)
    return LevelsInfo(
        scale=table.scale,
        measured=table.measured,
        levels=[
            LevelInfo(number=number, name=level.name, elo=level.elo, margin=level.margin)
            for number, level in enumerate(table.levels, start=LOWEST_LEVEL)
        ],
    )


@router.post("/position")
def position(record: GameMoves) -> PositionView:
    """The position that a record leads to, its legal moves and how it ended."""
    return view_of(record)


@router.post("/import")
def import_game(request: ImportRequest) -> GameMoves:
    """A game or position that somebody pasted."""
    return transfer.import_game(request.game, request.text)


@router.post("/export")
def export_game(request: ExportRequest) -> ExportedGame:
    """A game as a file for other programs."""
    return transfer.export_game(request)


@router.post("/reason")
def reason(request: ReasonRequest) -> Reason | None:
    """Why the played line is worse than the better one; null where the coach's traits say nothing."""
    return compare_lines(request)


@router.get("/words")
def words_info(request: Request, game: Annotated[GameName, Query()]) -> WordsInfo | None:
    """The language model that would word a review; null: none is configured."""
    found: WordsInfo | None = request.app.state.words.info(game)
    return found


@router.post("/words")
def words(request: Request, wanted: WordsRequest) -> Words:
    """A language model's words about the mistakes of a game. They change no move and no figure."""
    found: Words = request.app.state.words.word(wanted)
    return found


async def _open_search(request: Request, search: SearchRequest) -> AsyncIterator[PageSearch]:
    """A dependency, so that refusals come before the answer has begun and the end is never missed."""
    async with request.app.state.searches.open(search) as found:
        yield found


@router.post("/search")
async def search(found: Annotated[PageSearch, Depends(_open_search)]) -> AsyncIterator[SearchMessage]:
    """Search a position; messages about ten times a second, the result last. Leave, and it stops."""
    async for message in found.messages():
        yield message


@router.post("/tree")
def tree(request: Request, wanted: TreeRequest) -> TreeNode | None:
    """One node of the tree that a search of this position has grown, running or just ended; or null."""
    found: TreeNode | None = request.app.state.searches.look_inside(wanted)
    return found
