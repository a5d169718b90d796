"""Records of games to and from what pages send and receive: a start and moves. Reads no notation itself."""

from milton.errors import RequestError
from milton.games import Position
from milton.records import GameRecord
from milton.webapi.play_messages import MAX_MOVES, GameMoves


def wire_record(record: GameRecord) -> GameMoves:
    """The main line; RequestError if it is longer than pages take."""
    if len(record.plies) > MAX_MOVES:
        raise RequestError(f"the game has more than {MAX_MOVES} moves", hint="Cut it.", where="text")
    start = None if record.start == Position.start(record.game).text else record.start
    return GameMoves(game=record.game, start=start, moves=list(record.moves))
