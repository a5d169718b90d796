"""Games that come from people as text, and leave as text: FEN, PGN, position texts, JSON lines."""

import io

from milton.config import GameName
from milton.errors import MiltonError, NotationError, RecordError, RequestError
from milton.games import Position
from milton.records import GameRecord, json_line, pgn_text, read_json_lines, read_pgn
from milton.webapi.play_messages import ExportedGame, ExportRequest, GameMoves, GameResult
from milton.webapi.positions import end_of, replay
from milton.webapi.records import wire_record

_WINNERS: dict[GameResult, int | None] = {"1-0": 0, "0-1": 1, "1/2-1/2": -1, "*": None}


def import_game(game: GameName, text: str) -> GameMoves:
    """A position or a game in whatever way it is written; RequestError says what was expected."""
    text = text.strip()
    if text.startswith("{"):
        return _from_json(game, text)
    if "\n" not in text and "[" not in text:
        try:
            return GameMoves(game=game, start=Position.from_text(game, text).text)
        except NotationError as error:
            if game != "chess" or "/" in text:  # only chess has another way of writing, and FENs have slashes
                raise RequestError(str(error), hint=_expected(game), where="text") from error
    if game != "chess":
        raise RequestError(f"not a position of {game}", hint=_expected(game), where="text")
    try:
        found = next(read_pgn(io.StringIO(text)), None)
        record = None if found is None else wire_record(found)
    except RecordError as error:
        raise RequestError(str(error), hint=_expected(game), where="text") from error
    if record is None or not (record.moves or record.start):
        raise RequestError("no game was found in the text", hint=_expected(game), where="text")
    return record


def export_game(request: ExportRequest) -> ExportedGame:
    """PGN for chess; for the others one line of JSON that `import_game` reads again."""
    record = request.record
    played = replay(record)
    end = end_of(played.position)
    winner = None if end is None else -1 if end.winner is None else int(end.winner)
    found = GameRecord.of_moves(
        record.game,
        record.start,
        played.moves,
        winner=winner if request.result is None else _WINNERS[request.result],
        players=(request.names[0], request.names[1]),
        tags={"Event": "Milton"} | ({} if request.date is None else {"Date": request.date}),
    )
    if record.game == "chess":
        return ExportedGame(text=pgn_text(found), file_name="game.pgn")
    return ExportedGame(text=json_line(found), file_name=f"{record.game}.jsonl")


def _from_json(game: GameName, text: str) -> GameMoves:
    """A line that `export_game` or self-play wrote."""
    try:
        record = wire_record(next(read_json_lines(text.splitlines()[:1])))
    except RecordError as error:
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
