"""How much of a clock to spend on a move. Pure arithmetic: knows no search and reads no clock.

With n moves expected, m in a long game, and an overhead o lost on each of them (transmission, start and end of a
search), a move gets (remaining − m·o) / n plus most of the increment. A clock without increment keeps a larger
reserve, because what is lost there never comes back. When the reserve m·o is not there any more, the share falls
with the square of what is left, so that a clock without increment is never played empty.
"""

from dataclasses import dataclass

from milton.play.limits import Clock, Limits

DEFAULT_MOVE_OVERHEAD_S = 0.01  # docs/play.md has the measurements

# What each move may lose on a clock that gets nothing back.
SAFE_OVERHEAD_S = 0.05

# The core reads 0 as "no limit"; this little means "answer at once".
SHORTEST_S = 0.001

# Moves a game still has, by ply, for sharing out the clock: few, because time is worth most while much is undecided
# (docs/experiments.md, "The clock"). The reserve for what every move loses counts on a longer game.
MOST_MOVES_LEFT = 30.0
FEWEST_MOVES_LEFT = 20.0
PLIES_PER_MOVE_LESS = 4.0
RESERVE_MOVES = 50.0

INCREMENT_SHARE = 0.75
# How far a doubtful choice may go beyond its share while the reserve is there, and how much of the clock one
# move may ever take.
DOUBT_FACTOR = 3.0
LARGEST_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Budget:
    """Time for one move from now on: the usual end, and the end when the choice is in doubt."""

    soft_s: float
    hard_s: float


def budget_for_clock(clock: Clock, ply: int, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S) -> Budget:
    spendable = clock.remaining_s - overhead_s
    if spendable <= SHORTEST_S:
        return Budget(SHORTEST_S, SHORTEST_S)
    moves_left = _moves_left(clock, ply)
    lost_s = overhead_s if clock.increment_s > 0 else max(overhead_s, SAFE_OVERHEAD_S)
    reserve_moves = min(RESERVE_MOVES, clock.moves_to_go or RESERVE_MOVES)
    reserve = lost_s * reserve_moves
    is_comfortable = clock.remaining_s >= 2 * reserve
    if is_comfortable:
        share = (clock.remaining_s - reserve) / moves_left
    else:
        share = clock.remaining_s**2 / (4 * reserve) / max(moves_left, reserve_moves)
    share += INCREMENT_SHARE * clock.increment_s
    most = spendable * max(LARGEST_SHARE, 1.0 / moves_left)
    hard = _between(SHORTEST_S, share * (DOUBT_FACTOR if is_comfortable else 1.0), most)
    return Budget(_between(SHORTEST_S, share, hard), hard)


def budget_for_movetime(movetime_s: float, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S) -> Budget:
    """All of it but the overhead; of very short times at least half is thought."""
    time_s = max(SHORTEST_S, movetime_s - overhead_s, movetime_s / 2)
    return Budget(time_s, time_s)


def budget_for(limits: Limits, ply: int, overhead_s: float = DEFAULT_MOVE_OVERHEAD_S) -> Budget | None:
    """The tighter of clock and time a move; None if neither limits the search."""
    budgets = []
    if limits.clock is not None:
        budgets.append(budget_for_clock(limits.clock, ply, overhead_s))
    if limits.movetime_s is not None:
        budgets.append(budget_for_movetime(limits.movetime_s, overhead_s))
    if not budgets:
        return None
    return Budget(min(b.soft_s for b in budgets), min(b.hard_s for b in budgets))


def _moves_left(clock: Clock, ply: int) -> float:
    guess = max(FEWEST_MOVES_LEFT, MOST_MOVES_LEFT - ply / PLIES_PER_MOVE_LESS)
    return guess if clock.moves_to_go is None else min(guess, float(max(1, clock.moves_to_go)))


def _between(low: float, value: float, high: float) -> float:
    return max(low, min(value, high))
