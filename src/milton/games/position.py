"""A position of any game, immutable and pleasant to handle. Rules and encodings are the core's; nothing here
knows them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from milton.errors import ArgumentError
from milton.gameinfo import game_info
from milton.games.core_types import CoreLine, core_game
from milton.games.outcome import SIDES, Outcome, Side
from milton.games.spec import GameSpec

_SVG_SIZE_PX = 360


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """A position together with the past that repetition rules need.

    Made by `start`, `from_fen`, `from_text` or `unpack`; `play` returns a new one. Moves are plain text: UCI
    for chess (SAN is accepted as input), the notations of docs/santorini-notation.md and docs/add-a-game.md
    for the others. Two positions are equal if they are written the same; their past is not compared.

    >>> Position.start("chess").play("e2e4").play("e5").side_to_move
    'first'
    """

    game: str
    line: CoreLine  # the core's object, for rooms that hand positions on to the core

    # How is it made?

    @staticmethod
    def start(game: str) -> "Position":
        """The position a game begins with."""
        return Position(game, core_game(game).Line.start())

    @staticmethod
    def from_fen(fen: str) -> "Position":
        """A chess position; NotationError names the field at fault."""
        return Position.from_text("chess", fen)

    @staticmethod
    def from_chess960_fen(fen: str) -> "Position":
        """A chess position whose castling field is X-FEN or Shredder-FEN; NotationError names the field."""
        return Position("chess", core_game("chess").Line.from_chess960_text(fen))

    @staticmethod
    def chess960_start(number: int) -> "Position":
        """One of the 960 starts of Chess960 by Scharnagl's number; 518 is the usual one."""
        return Position("chess", core_game("chess").Line.chess960_start(number))

    @staticmethod
    def from_text(game: str, text: str) -> "Position":
        """A position in the game's notation; NotationError names the field at fault."""
        return Position(game, core_game(game).Line.from_text(text))

    @staticmethod
    def unpack(game: str, packed: bytes) -> "Position":
        """The position that `pack` wrote; NotationError for anything else."""
        return Position(game, core_game(game).Line.unpack(packed))

    # What can be played, and what then?

    def legal_moves(self) -> list[str]:
        """All legal moves, in the core's generation order, also when a draw could be claimed."""
        return self.line.legal_moves()

    def play(self, move: str) -> "Position":
        """The position after a move; IllegalMoveError if it is not legal here."""
        return Position(self.game, self.line.play(move))

    def play_all(self, moves: Iterable[str]) -> "Position":
        """The position after several moves."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    def outcome(self, claim_draws: bool = False) -> Outcome | None:
        """How the game ended, or None if it has not.

        Only ends that come by themselves count, unless `claim_draws` adds the draws that a player may claim
        (threefold repetition and fifty moves in chess).
        """
        end = self.line.outcome(claim_draws)
        if end is None:
            return None
        reason, winner = end
        return Outcome(reason, SIDES[winner] if winner >= 0 else None)

    # What is it like?

    @property
    def spec(self) -> GameSpec:
        return GameSpec.of(self.game)

    @property
    def side_to_move(self) -> Side:
        return SIDES[self.line.side_to_move]

    @property
    def ply(self) -> int:
        """Half-moves since the start of the game."""
        return self.line.ply

    @property
    def repetitions(self) -> int:
        """How often this position stood on the board before."""
        return self.line.repetitions

    @property
    def in_check(self) -> bool:
        """Chess: is the king of the side to move attacked?"""
        self._require_chess("in_check")
        return self.line.in_check

    # How is it written?

    @property
    def text(self) -> str:
        """The position in the game's notation."""
        return self.line.text()

    @property
    def fen(self) -> str:
        """Chess: the FEN. It carries an en-passant square only if a legal capture exists."""
        self._require_chess("fen")
        return self.line.text()

    def parse(self, move: str) -> str:
        """The usual text of a legal move given in any notation (chess: UCI, SAN, king takes rook)."""
        return self.line.parse_move(move)

    def written(self, move: str) -> str:
        """A legal move as people write it: SAN where the game declares it, else as the core does."""
        return self.san(move) if game_info(self.game).notation == "san" else move

    def san(self, move: str) -> str:
        """Chess: a legal move in standard algebraic notation."""
        self._require_chess("san")
        return self.line.san(move)

    @property
    def is_chess960(self) -> bool:
        """Chess: a castling right is left that standard chess does not have; the FEN is a Shredder-FEN."""
        return self.game == "chess" and not set(self.text.split()[2]) <= set("KQkq-")

    def chess960_uci(self, move: str) -> str:
        """Chess: a legal move as UCI writes it for Chess960, castling as king takes rook."""
        self._require_chess("chess960_uci")
        return self.line.chess960_text(move)

    # What do networks and files see?

    def action_of(self, move: str) -> int:
        """The slot of a legal move in a dense policy head."""
        return self.line.action_of(move)

    def move_of(self, action: int) -> str:
        """The legal move of a slot; IllegalMoveError if there is none."""
        return self.line.move_of(action)

    def planes(self, encoder: str) -> NDArray[np.float32]:
        """The position as float32[planes, height, width]; `spec.planes` lists the encoders."""
        return self.line.planes(encoder)

    def pack(self) -> bytes:
        """`spec.packed_bytes` bytes, repetitions included (up to 3)."""
        return self.line.pack()

    def transform(self, symmetry: int) -> "Position":
        """The position under a symmetry of the board, 0 being the identity."""
        return Position(self.game, self.line.transform(symmetry))

    # How does it behave in Python and in a notebook?

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.text == other.text

    def __hash__(self) -> int:
        return hash((self.game, self.line.hash))

    def __repr__(self) -> str:
        return f"Position.from_text({self.game!r}, {self.text!r})"

    def __str__(self) -> str:
        return self.line.board_text().rstrip("\n")

    def __copy__(self) -> "Position":
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Position":
        return self

    def __reduce__(self) -> tuple[Any, tuple[str, bytes]]:
        """Pickles as packed: the number of repetitions survives, the past itself does not."""
        return Position.unpack, (self.game, self.pack())

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(f"{self}\n{self.text}")

    def _repr_svg_(self) -> str | None:
        """A drawn board for chess; other games show their text board."""
        if self.game != "chess":
            return None
        import chess.svg  # here, because only notebooks need it

        return str(chess.svg.board(chess.Board(self.fen), size=_SVG_SIZE_PX))

    def _require_chess(self, member: str) -> None:
        if self.game != "chess":
            raise ArgumentError(f"{member} is for chess only, got a position of {self.game!r}")


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of length `depth`: the usual check of a move generator."""
    return core_game(position.game).perft(position.line, depth)


def divide(position: Position, depth: int) -> dict[str, int]:
    """`perft` split by the first move."""
    return core_game(position.game).divide(position.line, depth)
