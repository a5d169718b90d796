"""How much of a clock to spend on a move. Pure arithmetic: knows no search and reads no clock.

With n moves expected and an overhead o lost on each move (transmission, start and end of a search), a move
gets (remaining − reserve) / n plus most of the increment. The reserve is the overhead of 15 moves, for moves
that lose more than usual. It grows to that of a long game of 50 where the increment pays half of it or less.
A clock without increment counts on a larger overhead, because lost time never comes back. Below twice the
reserve the share falls with the square of the remaining time, so that no clock runs empty.

Where moves are seen to lose more than the overhead (Lag), o is what they lose, and the increment pays it.
"""

from dataclasses import dataclass

from milton.play.limits import Clock, Limits

DEFAULT_MOVE_OVERHEAD_S = 0.01  # docs/play.md has the measurements

# What each move may lose on a clock that gets nothing back.
SAFE_OVERHEAD_S = 0.05

# The core reads 0 as "no limit"; this little means "answer at once".
SHORTEST_S = 0.0003

# Moves a game still has, by ply, for sharing out the clock: few, because time is worth most while much is
# undecided (docs/experiments.md, "The clock").
MOST_MOVES_LEFT = 30.0
FEWEST_MOVES_LEFT = 20.0
PLIES_PER_MOVE_LESS = 4.0

# Moves whose overhead is held back: whatever the increment is, and where it does not pay for it.
RESERVE_MOVES = 15.0
UNPAID_RESERVE_MOVES = 50.0

INCREMENT_SHARE = 0.75
# How far a doubtful choice may go beyond its share while the reserve is there, and how much of the clock one
# move may ever take.
DOUBT_FACTOR = 3.0
LARGEST_SHARE = 0.3

# A measured lag fades by this much a move, and one of more than this was not the engine's. What it is more
# than the overhead is taken from the increment this often, because a lag varies.
LAG_KEPT = 0.97
LARGEST_LAG_S = 1.0
LAG_WEIGHT = 2.0


class Lag:
    """What moves took beyond their time, as measured: more on a busy machine than on a quiet one."""

    def __init__(self) -> None:
        self.seconds = 0.0  # the largest of late, fading
        self._expected: tuple[int, float] | None = None  # a ply, and what its clock should show then

    def saw(self, lag_s: float) -> None:
        self.seconds = max(min(lag_s, LARGEST_LAG_S), LAG_KEPT * self.seconds)

    def thought(self, clock: Clock, ply: int, time_s: float) -> None:
        """A move was chosen in `time_s`: the next clock tells what was lost beside that, also on the way."""
        self._expected = (ply + 2, clock.remaining_s + clock.increment_s - time_s)

    def read(self, clock: Clock, ply: int) -> None:
        if self._expected is not None and self._expected[0] == ply:
            self.saw(self._expected[1] - clock.remaining_s)
        self._expected = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Time for one move from now on: the usual end, and the end when the choice is in doubt."""

    soft_s: float
    hard_s: float


def budget_for_clock(
    clock: Clock, ply: int, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S, lag_s: float = 0.0
) -> Budget:
    excess_s = max(0.0, lag_s - overhead_s)
    overhead_s = max(overhead_s, lag_s)
    spendable = clock.remaining_s - overhead_s
    if spendable <= SHORTEST_S:
        return Budget(SHORTEST_S, SHORTEST_S)
    moves_left = _moves_left(clock, ply)
    lost_s = overhead_s if clock.increment_s > 0 else max(overhead_s, SAFE_OVERHEAD_S)
    reserve = _reserve_s(lost_s, clock)
    is_comfortable = clock.remaining_s >= 2 * reserve
    if is_comfortable:
        share = (clock.remaining_s - reserve) / moves_left
    else:
        share = clock.remaining_s**2 / (4 * reserve) / _moves_in(UNPAID_RESERVE_MOVES, clock)
    share += INCREMENT_SHARE * max(0.0, clock.increment_s - LAG_WEIGHT * excess_s)
    most = spendable * max(LARGEST_SHARE, 1.0 / moves_left)
    hard = _between(SHORTEST_S, share * (DOUBT_FACTOR if is_comfortable else 1.0), most)
    return Budget(_between(SHORTEST_S, share, hard), hard)


def budget_for_movetime(movetime_s: float, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S) -> Budget:
    """All of it but the overhead; of very short times at least half is thought."""
    time_s = max(SHORTEST_S, movetime_s - overhead_s, movetime_s / 2)
    return Budget(time_s, time_s)


def budget_for(
    limits: Limits, ply: int, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S, lag_s: float = 0.0
) -> Budget | None:
    """The tighter of clock and time a move; None if neither limits the search."""
    budgets = []
    if limits.clock is not None:
        budgets.append(budget_for_clock(limits.clock, ply, overhead_s, lag_s))
    if limits.movetime_s is not None:
        budgets.append(budget_for_movetime(limits.movetime_s, overhead_s))
    if not budgets:
        return None
    return Budget(min(b.soft_s for b in budgets), min(b.hard_s for b in budgets))


def _reserve_s(lost_s: float, clock: Clock) -> float:
    unpaid_s = min(lost_s, 2.0 * max(0.0, lost_s - clock.increment_s))
    moves, unpaid_moves = _moves_in(RESERVE_MOVES, clock), _moves_in(UNPAID_RESERVE_MOVES, clock)
    return lost_s * moves + unpaid_s * (unpaid_moves - moves)


def _moves_in(num_moves: float, clock: Clock) -> float:
    return min(num_moves, clock.moves_to_go or num_moves)


def _moves_left(clock: Clock, ply: int) -> float:
    guess = max(FEWEST_MOVES_LEFT, MOST_MOVES_LEFT - ply / PLIES_PER_MOVE_LESS)
    return guess if clock.moves_to_go is None else min(guess, float(max(1, clock.moves_to_go)))


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
