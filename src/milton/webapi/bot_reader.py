"""Reads what the Lichess bot keeps of its games: games.jsonl and a PGN for each. Never writes.

The list is the bot's own file: unknown fields are ignored, lines that a crash cut short are left out.
"""

import itertools
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from milton.errors import RequestError
from milton.records import read_games
from milton.webapi.bot_messages import BotGame, BotView
from milton.webapi.replays import replay_of
from milton.webapi.run_messages import ReplayGame

LIST_NAME = "games.jsonl"
MAX_GAMES = 1_000
_MAX_BYTES = 8 << 20
_WON = {"white": "1-0", "black": "0-1"}


class _Line(BaseModel):
    """One line of the bot's list."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    id: str
    opponent: str
    opponent_is_bot: bool
    colour: str
    rated: bool
    time_control: str
    status: str
    result: str
    num_plies: int
    network: str
    ended_at: float


def read_bot(folder: Path | None) -> BotView:
    """The newest games; RequestError where no bot has played yet."""
    found = _lines(_list_of(folder))
    assert folder is not None  # _list_of refuses
    games = [game for line in found[-MAX_GAMES:] if (game := _game(line)) is not None]
    return BotView(folder=str(folder), num_games=len(found), games=games)


def read_bot_game(folder: Path | None, game_id: str) -> ReplayGame:
    """A finished game to step through. Asked for by its id in the list, never by a path."""
    path = next(
        (path for path in _list_of(folder).parent.glob("*.pgn") if path.stem.endswith(f"_{game_id}")), None
    )
    game = None if path is None else next(itertools.islice(read_games(path), 1), None)
    if game is None:
        raise RequestError(
            f"no game {game_id[:50]!r} was kept", status=404, hint="GET /api/bot lists the games."
        )
    return replay_of(game)


def _list_of(folder: Path | None) -> Path:
    path = None if folder is None else folder / LIST_NAME
    if path is None or not path.is_file():
        raise RequestError(
            "no bot has played yet",
            status=404,
            hint="Start one with `milton lichess`, or name its folder with `milton serve --bot`.",
        )
    return path


def _lines(path: Path) -> list[_Line]:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _MAX_BYTES))
        text = file.read().decode("utf-8", errors="replace")
    found = []
    for line in text.splitlines():
        try:
            found.append(_Line.model_validate_json(line))
        except ValidationError:
            continue
    return found


def _game(line: _Line) -> BotGame | None:
    score = (
        None
        if line.result == "*"
        else 0.5
        if line.result == "1/2-1/2"
        else float(line.result == _WON.get(line.colour))
    )
    try:
        return BotGame(**line.model_dump(), score=score, url=_url(line.id))
    except ValidationError:  # of another version
        return None


def _url(game_id: str) -> str | None:
    """Ids of Lichess are letters and digits; anything else is no link."""
    url = f"https://lichess.org/{game_id}"
    return url if game_id.isalnum() and game_id.isascii() and urlsplit(url).netloc == "lichess.org" else None
