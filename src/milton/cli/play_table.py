"""A game between a person and the engine, line by line. Knows no terminal: it reads lines and writes text."""

from collections.abc import Callable, Iterable

from milton.cli.board import draw_board
from milton.cli.scores import score_words
from milton.errors import MiltonError
from milton.games import SIDES, Position
from milton.play import Engine, Limits

# The move of a position in which the game goes on, and in words how good it looks ("" if nobody can say).
Reply = tuple[str, str]
Opponent = Callable[[Position], Reply]

DEFAULT_LEVEL = 6

HELP = """\
a move     in the game's notation (chess: e2e4 or e4, Nf3, O-O)
moves      list the legal moves
hint       what the engine would play
undo       take your last move back
flip       turn the board
resign     give up
quit       leave
help       this list"""


def engine_opponent(engine: Engine, limits: Limits) -> Opponent:
    def choose(position: Position) -> Reply:
        choice = engine.choose(position, limits)
        assert choice.move is not None  # the game goes on
        return choice.move, score_words(choice.score)

    return choose


class PlayTable:
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
        self._positions = [position]  # the game so far
        self._person = SIDES[person]
        self._lines = iter(lines)
        self._write = write
        self._is_flipped = person == 1
        self._is_over = False
        self._commands: dict[str, Callable[[], None]] = {
            "help": lambda: self._write(HELP),
            "moves": lambda: self._write(" ".join(self._name(move) for move in self._position.legal_moves())),
            "hint": self._hint,
            "undo": self._undo,
            "flip": self._flip,
            "resign": self._resign,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Until the game ends, somebody resigns or quits, or the input ends."""
        self._write(f"you play {self._person} against {self._name_of_opponent}; type help for help")
        self._show()
        while not self._is_over:
            outcome = self._position.outcome(claim_draws=True)
            if outcome is not None:
                self._write(f"{outcome.result} ({outcome.reason.replace('_', ' ')})")
                return
            if self._position.side_to_move == self._person:
                self._ask()
            else:
                self._answer()

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    def _ask(self) -> None:
        self._write("your move:")
        line = next(self._lines, None)
        if line is None:
            self._quit()
            return
        word = line.strip()
        command = self._commands.get(word.lower())
        if command is not None:
            command()
        elif word:
            self._move(word)

    def _move(self, text: str) -> None:
        try:
            position = self._position.play(text)
        except MiltonError as error:
            self._write(f"{error}; type moves for the legal moves")
            return
        self._positions.append(position)

    def _answer(self) -> None:
        move, score = self._opponent(self._position)
        self._say("engine", move, score, "the engine")
        self._positions.append(self._position.play(move))
        self._show()

    def _say(self, who: str, move: str, score: str, viewer: str) -> None:
        self._write(f"{who}: {self._name(move)}" + (f"   ({score} for {viewer})" if score else ""))

    def _name(self, move: str) -> str:
        return self._position.san(move) if self._position.game == "chess" else move

    def _show(self) -> None:
        self._write(draw_board(self._position, flipped=self._is_flipped))

    # Commands

    def _hint(self) -> None:
        move, score = self._opponent(self._position)
        self._say("hint", move, score, "you")

    def _undo(self) -> None:
        """Back to the person's previous turn."""
        mine = [
            index for index, entry in enumerate(self._positions[:-1]) if entry.side_to_move == self._person
        ]
        if not mine:
            self._write("there is no move of yours to take back")
            return
        del self._positions[mine[-1] + 1 :]
        self._show()

    def _flip(self) -> None:
        self._is_flipped = not self._is_flipped
        self._show()

    def _resign(self) -> None:
        self._write(f"{'0-1' if self._person == 'first' else '1-0'} (resignation)")
        self._is_over = True

    def _quit(self) -> None:
        self._write("bye")
        self._is_over = True
