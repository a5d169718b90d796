"""The state of a game, from its stream: moves, position, clocks. Pure: knows no requests.

Streams may repeat states and deliver them late. A state that came before is old. A list of moves that is
shorter otherwise (moves were taken back) or no possible continuation contradicts, and only a new connection,
which starts with the whole game, shows the true state.
"""

from collections import deque
from enum import Enum

from milton.config.tables.lichess import PLAYABLE_VARIANTS
from milton.errors import IllegalMoveError, LichessError
from milton.games import Position
from milton.play import Clock
from milton.records.bot_files import Colour

from .async_engine import Line
from .events import GameFull, GameState, Player

NUM_STATES_REMEMBERED = 64
NUM_FREE_PLIES = 2  # no clock runs before both sides have moved


class Change(Enum):
    MOVED = "moved"  # there are new moves
    SAME = "same"  # the same position: clocks, offers or the status may differ
    OLD = "old"
    CONTRADICTION = "contradiction"


class Progress:
    """Made from a `gameFull`, kept up to date by `gameState`. `now` is time.monotonic()."""

    def __init__(self, full: GameFull, account_id: str, now: float) -> None:
        self.full = full
        self.colour: Colour = _colour_of(full, account_id)
        self.state = full.state
        self._seen: deque[GameState] = deque([full.state], maxlen=NUM_STATES_REMEMBERED)
        self.start = _start_of(full)
        self.position = self.start.play_all(full.state.move_list)
        self.line: Line = tuple(full.state.move_list)
        self._set_clock(full.state, now)

    @property
    def opponent(self) -> Player:
        return self.full.player(self.opponent_colour)

    @property
    def opponent_colour(self) -> Colour:
        return "black" if self.colour == "white" else "white"

    @property
    def ply(self) -> int:
        """Moves made in this game, whatever position it began with."""
        return len(self.line)

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def is_my_turn(self) -> bool:
        return self.position.side_to_move == ("first" if self.colour == "white" else "second")

    def update(self, state: GameState, now: float) -> Change:
        """Takes a state over unless it is old or contradicts. A finished game is believed in any case."""
        moves = tuple(state.move_list)
        change = _compare(self.line, moves)
        if change is Change.OLD and state not in self._seen:
            change = Change.CONTRADICTION  # perhaps a takeback
        if change is Change.MOVED:
            try:
                self.position = self.position.play_all(moves[len(self.line) :])
            except IllegalMoveError:
                return Change.CONTRADICTION
            self.line = moves
            self._set_clock(state, now)
        elif change is Change.SAME:
            # A repeated state shows the clock of an earlier moment: the lower reading is the safe one.
            if state.clock_s(self.colour) < self.remaining_s(now):
                self._set_clock(state, now)
        elif not state.is_over:
            return change
        self.state = state
        self._seen.append(state)
        return Change.SAME if state.is_over else change

    def remaining_s(self, now: float) -> float:
        """On our clock, if it is running."""
        return self._remaining_s - (now - self._read_at)

    def clock(self, now: float) -> Clock | None:
        """For a search that starts now; None in games without a clock."""
        if self.full.clock is None:
            return None
        remaining_s = self.remaining_s(now) if self.is_my_turn else self._remaining_s
        return Clock(remaining_s, self.state.increment_s(self.colour))

    def clocks_s(self, now: float) -> tuple[float, float] | None:
        """White's and Black's, the running one as it stands now; None in games without a clock."""
        if self.full.clock is None:
            return None
        to_move = 0 if self.position.side_to_move == "first" else 1
        clocks = [self.state.clock_s("white"), self.state.clock_s("black")]
        if self.ply >= NUM_FREE_PLIES:
            clocks[to_move] -= now - self._read_at
        return max(0.0, clocks[0]), max(0.0, clocks[1])

    def _set_clock(self, state: GameState, now: float) -> None:
        self._remaining_s = state.clock_s(self.colour)
        self._read_at = now


def _compare(known: Line, moves: Line) -> Change:
    shared = min(len(known), len(moves))
    if known[:shared] != moves[:shared]:
        return Change.CONTRADICTION
    if len(moves) > len(known):
        return Change.MOVED
    return Change.SAME if len(moves) == len(known) else Change.OLD


def _colour_of(full: GameFull, account_id: str) -> Colour:
    if full.white.id == account_id:
        return "white"
    if full.black.id == account_id:
        return "black"
    raise LichessError(f"game {full.id}: neither player is {account_id!r}")


def _start_of(full: GameFull) -> Position:
    if full.variant.key not in PLAYABLE_VARIANTS:
        raise LichessError(f"game {full.id}: the variant {full.variant.key[:40]!r} is not played here")
    return Position.start("chess") if full.initial_fen == "startpos" else Position.from_fen(full.initial_fen)
