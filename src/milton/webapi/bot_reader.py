"""Reads what the Lichess bot keeps: finished games, changes of networks, what it does now. Never writes.

These are the bot's own files: unknown fields are ignored, lines that a crash cut short are left out. Names
and messages come from others and are sent as one short line each.
"""

import itertools
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from milton.coach.report import harmless
from milton.errors import MiltonError, RequestError
from milton.records import read_games
from milton.records.bot_files import (
    LICHESS,
    LIST_NAME,
    STATE_NAME,
    SWAPS_NAME,
    BotState,
    FinishedGame,
    NetworkSwap,
    RunningGame,
)
from milton.webapi.bot_messages import BotGame, BotMessage, BotNow, BotSwap, BotView, RunningBotGame
from milton.webapi.play_messages import GameMoves
from milton.webapi.positions import view_of
from milton.webapi.replays import replay_of
from milton.webapi.run_messages import ReplayGame

MAX_GAMES = 1_000
MAX_SWAPS = 200
STALE_S = 15.0  # a bot that has said nothing for so long is gone
_AHEAD_S = 86_400.0  # a state from later than this was written before the clock was set back
_MAX_STATE_BYTES = 1 << 20
_LONGEST_TEXT = 300
# What of the bot's figures is a fault.
_FAULTS = {
    "num_failures": "failures",
    "num_reconnects": "lost connections",
    "num_rate_limited": "told to wait",
    "num_retries": "repeated requests",
    "num_malformed_lines": "unreadable lines",
}
_MAX_BYTES = 8 << 20

_FINISHED = TypeAdapter(FinishedGame)
_SWAP = TypeAdapter(NetworkSwap)
_STATE = TypeAdapter(BotState)
_Line = TypeVar("_Line")


def read_bot(folder: Path | None) -> BotView | None:
    """What it does now and its newest games; None where there has been no bot yet."""
    now = None if folder is None else _read_now(folder / STATE_NAME)
    if folder is None or (now is None and not (folder / LIST_NAME).is_file()):
        return None
    found = _lines(folder / LIST_NAME, _FINISHED)
    return BotView(
        folder=str(folder),
        num_games=len(found),
        games=[game for line in found[-MAX_GAMES:] if (game := _game(line)) is not None],
        now=now,
        swaps=[
            BotSwap(at=swap.at, network=_words(swap.network))
            for swap in _lines(folder / SWAPS_NAME, _SWAP)[-MAX_SWAPS:]
        ],
    )


def read_bot_game(folder: Path | None, game_id: str) -> ReplayGame:
    """A finished game to step through. Asked for by its id in the list, never by a path."""
    found = (path for path in _list_of(folder).parent.glob("*.pgn") if path.stem.endswith(f"_{game_id}"))
    path = next((path for path in found if _is_own_file(path)), None)
    game = None if path is None else next(itertools.islice(read_games(path), 1), None)
    if game is None:
        raise RequestError(
            f"no game {game_id[:50]!r} was kept", status=404, hint="GET /api/bot lists the games."
        )
    return replay_of(game)


def _is_own_file(path: Path) -> bool:
    """Not a pipe, whose reader would wait for ever, nor a link that leads out of the folder."""
    return path.is_file() and path.resolve().is_relative_to(path.parent.resolve())


def _list_of(folder: Path | None) -> Path:
    path = None if folder is None else folder / LIST_NAME
    if path is None or not _is_own_file(path):
        raise RequestError(
            "no bot has played yet",
            status=404,
            hint="Start one with `milton lichess`, or name its folder with `milton serve --bot`.",
        )
    return path


def _read_now(path: Path) -> BotNow | None:
    """The state that the bot wrote last; null where it wrote none that can be read."""
    try:
        if not _is_own_file(path) or path.stat().st_size > _MAX_STATE_BYTES:
            return None
        state = _STATE.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    is_online = state.is_online and -_AHEAD_S < time.time() - state.at < STALE_S
    return BotNow(
        at=state.at,
        is_online=is_online,
        account=_words(state.account),
        site=_words(state.site),
        network=_words(state.network),
        games=_running(state.games, state.site) if is_online else [],
        faults={words: state.figures.get(name, 0) for name, words in _FAULTS.items()},
        messages=[BotMessage(at=each.at, text=_words(each.text)) for each in state.messages],
    )


def _running(games: Sequence[RunningGame], site: str) -> list[RunningBotGame]:
    found = []
    for game in games:
        try:
            position = view_of(GameMoves(game="chess", start=game.start, moves=list(game.moves)))
        except (MiltonError, ValidationError):
            continue  # of another version
        said = asdict(replace(game, opponent=_words(game.opponent)))
        del said["start"], said["moves"]  # the position says both
        found.append(RunningBotGame(**said, position=position, url=_url(game.id, site)))
    return found


def _words(text: str) -> str:
    return harmless(text[:_LONGEST_TEXT])


def _lines(path: Path, kind: TypeAdapter[_Line]) -> list[_Line]:
    """Every line of the end of a list that can be read; none where there is no list."""
    if not _is_own_file(path):
        return []
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _MAX_BYTES))
        text = file.read().decode("utf-8", errors="replace")
    found = []
    for line in text.splitlines():
        try:
            found.append(kind.validate_json(line))
        except ValidationError:
            continue
    return found


def _game(game: FinishedGame) -> BotGame | None:
    said = asdict(game)
    del said["site"]
    try:
        return BotGame(**said, score=game.score, url=_url(game.id, game.site))
    except ValidationError:  # of another version
        return None


def _url(game_id: str, site: str) -> str | None:
    """Ids of Lichess are letters and digits; anything else, and any other server, is no link."""
    url = f"{LICHESS}/{game_id}"
    is_id = game_id.isalnum() and game_id.isascii()
    return url if site == LICHESS and is_id and urlsplit(url).netloc == "lichess.org" else None
