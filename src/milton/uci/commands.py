"""What a GUI's lines mean, as frozen values. Pure reading: knows no engine and keeps no state."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from milton.errors import NotationError
from milton.games import Position
from milton.play import Clock, Limits

GO_NUMBERS = (
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "perft",
)
GO_WORDS = (*GO_NUMBERS, "infinite", "ponder", "searchmoves")


@dataclass(frozen=True, slots=True)
class Go:
    """The words of a `go` line. Times are in milliseconds, as sent."""

    numbers: dict[str, int] = field(default_factory=dict)
    searchmoves: tuple[str, ...] = ()
    infinite: bool = False
    ponder: bool = False
    complaints: tuple[str, ...] = ()  # what could not be read and was left out

    @property
    def perft(self) -> int | None:
        return self.numbers.get("perft")

    def limits(self, white_to_move: bool) -> Limits:
        """The limits for the side to move; no limit at all means infinite, as in other engines."""
        numbers = self.numbers
        own = "w" if white_to_move else "b"
        clock = None
        if f"{own}time" in numbers:
            moves_to_go = numbers.get("movestogo", 0)
            clock = Clock(
                remaining_s=numbers[f"{own}time"] / 1000,
                increment_s=max(0, numbers.get(f"{own}inc", 0)) / 1000,
                moves_to_go=moves_to_go if moves_to_go > 0 else None,
            )
        movetime_s = numbers["movetime"] / 1000 if "movetime" in numbers else None
        nodes, depth, mate = (self._positive(name) for name in ("nodes", "depth", "mate"))
        is_bounded = any(limit is not None for limit in (nodes, depth, mate, clock, movetime_s))
        return Limits(
            nodes=nodes,
            movetime_s=movetime_s,
            clock=clock,
            depth=depth,
            mate=mate,
            infinite=self.infinite or not is_bounded,
            searchmoves=self.searchmoves,
        )

    def _positive(self, name: str) -> int | None:
        number = self.numbers.get(name, 0)
        return number if number > 0 else None


def parse_go(words: Sequence[str]) -> Go:
    """Reads the words after `go`. What cannot be read is left out and complained about."""
    numbers: dict[str, int] = {}
    searchmoves: list[str] = []
    complaints: list[str] = []
    flags = {"infinite": False, "ponder": False}
    left = list(words)
    while left:
        word = left.pop(0)
        if word in flags:
            flags[word] = True
        elif word == "searchmoves":
            while left and left[0] not in GO_WORDS:
                searchmoves.append(left.pop(0))
        elif word not in GO_NUMBERS:
            complaints.append(f"go: unknown word {word!r}")
        elif left and _is_whole_number(left[0]):
            numbers[word] = int(left.pop(0))
        else:
            given = left.pop(0) if left and left[0] not in GO_WORDS else ""
            complaints.append(f"go {word}: expected a whole number, got {given!r}")
    return Go(numbers, tuple(searchmoves), flags["infinite"], flags["ponder"], tuple(complaints))


def parse_position(words: Sequence[str], *, chess960: bool = False) -> Position:
    """Reads the words after `position`; NotationError or IllegalMoveError if it makes no sense.

    With `chess960` the castling field of a FEN is read as X-FEN. Moves may be SAN as well as UCI.
    """
    words = list(words)
    cut = words.index("moves") if "moves" in words else len(words)
    base, moves = words[:cut], words[cut + 1 :]
    if base == ["startpos"]:
        position = Position.start("chess")
    elif base[:1] == ["fen"]:
        fen = " ".join(base[1:])
        position = Position.from_chess960_fen(fen) if chess960 else Position.from_fen(fen)
    else:
        raise NotationError(f"position: expected 'startpos' or 'fen', got {' '.join(base)[:80]!r}")
    return position.play_all(moves)


def parse_setoption(words: Sequence[str]) -> tuple[str, str]:
    """Name and value of the words after `setoption`; both may hold spaces. The value may be missing."""
    words = list(words)
    if words[:1] != ["name"] or len(words) < 2:
        raise NotationError(f"setoption: expected 'name', got {' '.join(words)[:80]!r}")
    cut = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:cut]), " ".join(words[cut + 1 :])


def _is_whole_number(text: str) -> bool:
    digits = text.removeprefix("-").removeprefix("+")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18
