"""Games that come from people as text, and leave as text: FEN, PGN, position texts, JSON lines."""

import json

from milton.config import GameName
from milton.errors import MiltonError, NotationError, RequestError
from milton.games import Position
from milton.webapi.pgn import read_games, write_game
from milton.webapi.play_messages import ExportedGame, ExportRequest, GameRecord, GameResult
from milton.webapi.positions import end_of, replay

_RESULTS: dict[int | None, GameResult] = {0: "1-0", 1: "0-1", None: "1/2-1/2"}


def import_game(game: GameName, text: str) -> GameRecord:
    """A position or a game in whatever way it is written; RequestError says what was expected."""
    text = text.strip()
    if text.startswith("{"):
        return _from_json(game, text)
    if "\n" not in text and "[" not in text:
        try:
            return GameRecord(game=game, start=Position.from_text(game, text).text)
        except NotationError as error:
            if game != "chess" or "/" in text:  # only chess has another way of writing, and FENs have slashes
                raise RequestError(str(error), hint=_expected(game), where="text") from error
    if game != "chess":
        raise RequestError(f"not a position of {game}", hint=_expected(game), where="text")
    found = next(read_games(text, 1), None)
    if found is None or not (found.record.moves or found.record.start):
        raise RequestError("no game was found in the text", hint=_expected(game), where="text")
    return found.record


def export_game(request: ExportRequest) -> ExportedGame:
    """PGN for chess; for the others one line of JSON that `import_game` reads again."""
    record = request.record
    position, _ = replay(record)
    end = end_of(position)
    result = request.result or ("*" if end is None else _RESULTS[end.winner])
    if record.game == "chess":
        return ExportedGame(text=write_game(record, request.names, result), file_name="game.pgn")
    fields = {
        "game": record.game,
        "start": record.start or Position.start(record.game).text,
        "moves": record.moves,
        "players": request.names,
        "result": result,
    }
    return ExportedGame(text=json.dumps(fields, ensure_ascii=False) + "\n", file_name=f"{record.game}.jsonl")


def _from_json(game: GameName, text: str) -> GameRecord:
    """A line that `export_game` or self-play wrote."""
    try:
        fields = json.loads(text.splitlines()[0])
        record = GameRecord(game=fields["game"], start=fields["start"], moves=fields["moves"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RequestError("not a game of Milton in JSON", hint=_expected(game), where="text") from error
    if record.game != game:
        raise RequestError(f"this is a game of {record.game}", hint=f"Paste a game of {game}.", where="text")
    try:
        replay(record)
    except MiltonError as error:
        raise RequestError(str(error), hint="Correct the moves.", where="text") from error
    return record


def _expected(game: GameName) -> str:
    if game == "chess":
        return "Paste a FEN or a PGN."
    return f"Paste a position like {Position.start(game).text!r}, or a game as this page exports it."
