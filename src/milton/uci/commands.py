"""What a GUI's lines mean, as frozen values. Pure reading: knows no engine and keeps no state."""

from collections import deque
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
# A `go` with unusable limits is answered after this, not searched for ever: the GUI expects a move.
UNUSABLE_LIMIT_S = 1.0
LARGEST_NUMBER = 10**15  # more is as good as no limit
MOST_COMPLAINTS = 20
MOST_SEARCHMOVES = 1000  # spellings; no position has so many moves


@dataclass(frozen=True, slots=True)
class Go:
    """The words of a `go` line. Times are in milliseconds, as sent."""

    numbers: dict[str, int] = field(default_factory=dict)
    searchmoves: tuple[str, ...] = ()
    infinite: bool = False
    ponder: bool = False
    names_limit: bool = False  # whether it can be used or not
    complaints: tuple[str, ...] = ()  # what could not be read and was left out

    @property
    def perft(self) -> int | None:
        return self.numbers.get("perft")

    def limits(self, white_to_move: bool) -> Limits:
        """The limits for the side to move; none at all means infinite, as in other engines."""
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
        if self.names_limit and not is_bounded and not self.infinite:
            is_bounded, movetime_s = True, UNUSABLE_LIMIT_S
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
    searchmoves: dict[str, None] = {}  # a set that keeps its order
    complaints: list[str] = []
    flags = {"infinite": False, "ponder": False}
    names_limit = False
    left = deque(words)
    while left:
        word = left.popleft()
        names_limit = names_limit or word in GO_NUMBERS
        if word in flags:
            flags[word] = True
        elif word == "searchmoves":
            while left and left[0] not in GO_WORDS:
                searchmoves[left.popleft()] = None
        elif word not in GO_NUMBERS:
            complaints.append(f"go: unknown word {word[:80]!r}")
        elif left and _is_whole_number(left[0]):
            numbers[word] = _clamped(left.popleft())
        else:
            given = left.popleft() if left and left[0] not in GO_WORDS else ""
            complaints.append(f"go {word}: expected a whole number, got {given[:80]!r}")
    if len(searchmoves) > MOST_SEARCHMOVES:
        complaints.insert(0, f"go searchmoves: only the first {MOST_SEARCHMOVES} moves are read")
    return Go(
        numbers,
        tuple(searchmoves)[:MOST_SEARCHMOVES],
        infinite=flags["infinite"],
        ponder=flags["ponder"],
        names_limit=names_limit,
        complaints=tuple(complaints[:MOST_COMPLAINTS]),
    )


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
    return digits.isascii() and digits.isdigit()


def _clamped(text: str) -> int:
    """A whole number; one with more digits than Python reads is as good as the largest."""
    is_readable = len(text) <= len(str(LARGEST_NUMBER))
    number = int(text) if is_readable else LARGEST_NUMBER * (-1 if text.startswith("-") else 1)
    return max(-LARGEST_NUMBER, min(number, LARGEST_NUMBER))
