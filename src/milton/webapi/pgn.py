"""PGN in and out, by python-chess; legality and notation stay with the core. Only main lines are read."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import chess.pgn

from milton.errors import IllegalMoveError, NotationError, RequestError
from milton.games import Position
from milton.webapi.play_messages import MAX_MOVES, GameRecord, GameResult

_STANDARD = ("standard", "chess", "from position")
_VALUE_COMMENT = re.compile(r"^\s*([+-]\d\.\d\d)\s*$")


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game as it was written. Values are the comments that self-play leaves, seen by White."""

    headers: dict[str, str]
    record: GameRecord
    values: list[float | None]


class _MainLine(chess.pgn.BaseVisitor[PgnGame]):
    """Collects moves without building a tree: variations and their depth cost nothing."""

    def __init__(self) -> None:
        self._headers: dict[str, str] = {}
        self._start: str | None = None
        self._moves: list[str] = []
        self._values: list[float | None] = []
        self._error: Exception | None = None

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self._headers[tagname] = tagvalue

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_board(self, board: chess.Board) -> None:
        if not self._moves and not board.move_stack and board.fen() != chess.STARTING_FEN:
            self._start = board.fen()

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:  # noqa: ARG002
        self._moves.append(move.uci())
        self._values.append(None)
        if len(self._moves) > MAX_MOVES:
            raise RequestError(f"the game has more than {MAX_MOVES} moves", hint="Cut it.", where="text")

    def visit_comment(self, comment: str) -> None:
        value = _VALUE_COMMENT.match(comment)
        if value is not None and self._values:
            self._values[-1] = float(value[1])

    def handle_error(self, error: Exception) -> None:
        self._error = self._error or error

    def result(self) -> PgnGame:
        if self._error is not None:
            raise RequestError(
                f"the PGN has a move or header that cannot be read: {self._error}",
                hint="Correct it, or cut the text before it.",
                where="text",
            )
        variant = self._headers.get("Variant", "Standard")
        if variant.lower() not in _STANDARD:
            raise RequestError(
                f"a game of {variant[:50]!r}", hint="Only standard chess is played here.", where="text"
            )
        return PgnGame(self._headers, self._record(), self._values)

    def _record(self) -> GameRecord:
        """The same game in the core's words."""
        try:
            start = None if self._start is None else Position.from_fen(self._start)
            position = start or Position.start("chess")
            moves = []
            for move in self._moves:
                moves.append(position.parse(move))
                position = position.play(moves[-1])
        except (NotationError, IllegalMoveError) as error:
            raise RequestError(
                str(error), hint="Check the FEN header and the moves.", where="text"
            ) from error
        return GameRecord(game="chess", start=None if start is None else start.text, moves=moves)


def read_games(text: str, limit: int) -> Iterator[PgnGame]:
    """The first games of a PGN text."""
    stream = io.StringIO(text)
    for _ in range(limit):
        try:
            game = chess.pgn.read_game(stream, Visitor=_MainLine)
        except ValueError as error:  # python-chess refuses some headers this way
            raise RequestError(f"not PGN: {error}", hint="Check the headers.", where="text") from error
        if game is None:
            return
        yield game


def write_game(record: GameRecord, names: list[str], result: GameResult) -> str:
    """PGN of a game whose moves were checked."""
    game = chess.pgn.Game()
    first, second = map(_one_line, names)
    game.headers.update(Event="Milton", White=first, Black=second, Result=result)
    if record.start is not None:
        game.setup(chess.Board(record.start))
    node: chess.pgn.GameNode = game
    for move in record.moves:
        node = node.add_variation(chess.Move.from_uci(move))
    return game.accept(chess.pgn.StringExporter(columns=80)) + "\n"


def _one_line(name: str) -> str:
    """python-chess writes headers as they are: a quote or a line break would end them."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return printable.replace("\\", "/").replace('"', "'").strip() or "?"
