"""A game between a person and the engine, line by line. Knows no terminal: it reads lines and writes text."""

import string
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from milton.cli.board import draw_board
from milton.cli.scores import score_words
from milton.errors import ArgumentError, MiltonError
from milton.games import SIDES, Position
from milton.play import Engine, Limits
from milton.records import GameRecord, dated, games_suffix, read_games, winner_of, write_games


class Reply(NamedTuple):
    """The move in a position where the game continues, and the position's value for the side to move."""

    move: str
    words: str = ""  # empty if nobody can say
    value: float | None = None  # in [-1, 1]
    algorithm: str = ""  # that chose it


Opponent = Callable[[Position], Reply]

DEFAULT_LEVEL = 6

# A draw is agreed to by an engine that sees itself no better than this.
_DRAW_VALUE = 0.05

HELP = """\
a move      chess: e2e4 or e4, Nf3, O-O
            Connect Four: a column, a to g or 1 to 7
            Santorini: c3 places a worker; c3c4b4 moves it from c3 to c4 and builds on b4. The board shows
            heights and workers, A and B of the first player, Y and Z of the second
moves       list the legal moves
hint        what the engine would play
undo        take your last move back
new         start again
fen [TEXT]  show the position in the game's notation, or play on from TEXT
save FILE   write the game: .pgn for chess, .jsonl for every game
load FILE   continue the first game in a file
flip        turn the board
draw        offer a draw
resign      give up
quit        leave
help        this list"""


def engine_opponent(engine: Engine, limits: Limits) -> Opponent:
    def choose(position: Position) -> Reply:
        choice = engine.choose(position, limits)
        assert choice.move is not None  # the game goes on
        return Reply(choice.move, score_words(choice.score), choice.value, choice.analysis.algorithm)

    return choose


class TerminalGame:
    def __init__(
        self,
        name: str,
        opponent: Opponent,
        position: Position,
        person: int,  # 0 first, 1 second
        lines: Iterable[str],
        write: Callable[[str], None],
    ) -> None:
        self._name_of_opponent = name
        self._opponent = opponent
        self._beginning = position
        self._positions = [position]  # the game so far
        self._moves: list[str] = []
        self._values: list[float | None] = []  # before each move, seen by whoever made it
        self._algorithm = ""  # of the opponent's last search
        self._winner: int | None = None  # as records count; None while the game goes on
        self._end_reason = ""
        self._person = SIDES[person]
        self._lines = iter(lines)
        self._write = write
        self._is_flipped = person == 1
        self._is_over = False
        # What is typed after the name is handed on.
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._write(HELP),
            "moves": lambda _: self._write(" ".join(map(self._name, self._position.legal_moves()))),
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "new": lambda _: self._begin([self._beginning], []),
            "fen": self._fen,
            "save": self._save,
            "load": self._load,
            "flip": lambda _: self._flip(),
            "draw": lambda _: self._offer_draw(),
            "resign": lambda _: self._resign(),
            "quit": lambda _: self._quit(),
        }

    def play(self) -> None:
        """Until somebody quits or the input ends; a finished game can be saved, taken back or begun again."""
        self._write(f"you play {self._person} against {self._name_of_opponent}; type help for help")
        self._show()
        while not self._is_over:
            self._notice_the_end()
            if self._winner is not None or self._position.side_to_move == self._person:
                self._ask()
            else:
                self._answer()

    def _notice_the_end(self) -> None:
        outcome = self._position.outcome(claim_draws=True)
        if outcome is not None and self._winner is None:
            self._end(winner_of(outcome), outcome.reason)

    def _end(self, winner: int, reason: str) -> None:
        self._winner, self._end_reason = winner, reason
        result = {0: "1-0", 1: "0-1", -1: "1/2-1/2"}[winner]
        self._write(f"{result} ({reason.replace('_', ' ')})")

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    def _ask(self) -> None:
        self._write("your move:" if self._winner is None else "game over; new, undo, save FILE or quit:")
        line = next(self._lines, None)
        if line is None:
            self._quit()
            return
        word, _, rest = line.strip().partition(" ")
        command = self._commands.get(word.lower())
        try:
            if command is not None:
                command(rest.strip())
            elif word:
                self._move(line.strip())
        except MiltonError as error:
            self._write(str(error))

    def _move(self, text: str) -> None:
        if self._winner is not None:
            self._write("the game is over")
            return
        try:
            move = self._position.parse(_column(text) if self._position.game == "connect_four" else text)
        except MiltonError as error:
            self._write(f"{error}; type moves for the legal moves")
            return
        self._play(move, None)

    def _play(self, move: str, value: float | None) -> None:
        self._positions.append(self._position.play(move))
        self._moves.append(move)
        self._values.append(value)

    def _answer(self) -> None:
        reply = self._opponent(self._position)
        self._say("engine", reply.move, reply.words, "the engine")
        self._algorithm = reply.algorithm
        self._play(reply.move, reply.value)
        self._show()

    def _say(self, who: str, move: str, score: str, viewer: str) -> None:
        self._write(f"{who}: {self._name(move)}" + (f"   ({score} for {viewer})" if score else ""))

    def _name(self, move: str) -> str:
        return self._position.written(move)

    def _show(self) -> None:
        self._write(draw_board(self._position, flipped=self._is_flipped))

    # Commands

    def _hint(self) -> None:
        if self._winner is not None:
            self._write("the game is over")
            return
        reply = self._opponent(self._position)
        self._say("hint", reply.move, reply.words, "you")

    def _undo(self) -> None:
        """Back to the person's previous turn, or the one before the end."""
        mine = [
            index for index, entry in enumerate(self._positions[:-1]) if entry.side_to_move == self._person
        ]
        if not mine:
            self._write("there is no move of yours to take back")
            return
        self._begin(self._positions[: mine[-1] + 1], self._moves[: mine[-1]], self._values[: mine[-1]])

    def _begin(
        self, positions: list[Position], moves: list[str], values: list[float | None] | None = None
    ) -> None:
        """Continues from the last of `positions`, which `moves` led to."""
        self._positions = list(positions)
        self._moves = list(moves)
        self._values = [None] * len(moves) if values is None else list(values)
        self._winner, self._end_reason = None, ""
        self._show()

    def _fen(self, text: str) -> None:
        if not text:
            self._write(self._position.text)
            return
        self._begin([Position.from_text(self._position.game, text)], [])

    def _save(self, name: str) -> None:
        suffix = games_suffix(self._position.game)
        if not name:
            raise ArgumentError(f"name the file, such as: save game{suffix}")
        path = Path(name).expanduser()
        path = path if path.suffix else path.with_suffix(suffix)
        players = ("you", self._name_of_opponent)
        record = GameRecord.of_moves(
            self._position.game,
            self._positions[0].text,
            self._moves,
            values_stm=self._values if any(value is not None for value in self._values) else (),
            winner=self._winner,
            end_reason=self._end_reason,
            players=players if self._person == SIDES[0] else players[::-1],
            tags={"Algorithm": self._algorithm} if self._algorithm else None,
        )
        write_games(path, dated([record]))
        self._write(f"{path}: {len(self._moves)} plies")

    def _load(self, name: str) -> None:
        if not name:
            raise ArgumentError("name the file, such as: load game.pgn")
        record = next(read_games(Path(name).expanduser()), None)
        if record is None:
            raise ArgumentError(f"{name!r} holds no game")
        if record.game != self._position.game:
            raise ArgumentError(f"expected a game of {self._position.game}, got one of {record.game}")
        self._begin(list(record.positions()), list(record.moves), list(record.values_stm))

    def _flip(self) -> None:
        self._is_flipped = not self._is_flipped
        self._show()

    def _offer_draw(self) -> None:
        """The engine agrees if it does not see itself ahead."""
        if self._winner is not None:
            self._write("the game is over")
            return
        value = self._opponent(self._position).value  # for the person, who is to move
        if value is not None and -value <= _DRAW_VALUE:
            self._end(-1, "agreement")
        else:
            self._write("the engine declines and plays on")

    def _resign(self) -> None:
        if self._winner is None:
            self._end(1 if self._person == SIDES[0] else 0, "resignation")

    def _quit(self) -> None:
        self._write("bye")
        self._is_over = True


def _column(text: str) -> str:
    """Connect Four: a column may be typed as its number, 1 at the left."""
    return (
        string.ascii_lowercase[int(text) - 1]
        if text.isascii() and text.isdigit() and int(text) in range(1, 8)
        else text
    )
