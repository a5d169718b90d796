"""Plays one game between two players to its end by the rules. No adjudication, no rating."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from milton.errors import IllegalMoveError, MiltonError
from milton.games import Position

from .external import EngineHungError
from .limits import Clocks, MoveLimit
from .players import RatedPlayer
from .roster import PlayerSpec

FaultKind = Literal["crash", "hang", "illegal_move", "time_loss"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that was not decided on the board, and who is to blame."""

    side: int  # 0 the first player, 1 the second
    kind: FaultKind
    detail: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from the start position, opening included in `moves`."""

    game: str
    players: tuple[str, str]  # the first player, the second
    moves: tuple[str, ...]
    num_opening_plies: int
    winner: int  # 0 first, 1 second, −1 draw; the other side of a fault
    end_reason: str  # as the core names it, or the kind of the fault
    think_time_s: tuple[float, float]  # of each side in all
    fault: Fault | None = None

    @property
    def result(self) -> str:
        return {0: "1-0", 1: "0-1", -1: "1/2-1/2"}[self.winner]

    def points_of(self, side: int) -> float:
        return 0.5 if self.winner < 0 else float(self.winner == side)

    def moves_of(self, side: int) -> int:
        """Moves that the side chose itself."""
        chosen = range(self.num_opening_plies, len(self.moves))
        return sum(1 for ply in chosen if ply % 2 == side)


class Wallclock:
    """The clocks of a game, counted as a referee counts: from question to answer."""

    def __init__(self, limits: tuple[MoveLimit | None, MoveLimit | None]) -> None:
        self._limits = limits
        self.spent_s = [0.0, 0.0]
        # A player without a clock has one that never runs out.
        self.remaining_s = [
            limit.amount if limit is not None and limit.kind == "clock" else 3600.0 for limit in limits
        ]

    def shown(self) -> Clocks:
        first, second = (limit.increment_s if limit else 0.0 for limit in self._limits)
        return Clocks((self.remaining_s[0], self.remaining_s[1]), (first, second))

    def charge(self, side: int, seconds: float) -> bool:
        """Whether the side is still within its time."""
        self.spent_s[side] += seconds
        limit = self._limits[side]
        if limit is None or limit.kind != "clock":
            return True
        self.remaining_s[side] -= seconds
        if self.remaining_s[side] < 0.0:
            return False
        self.remaining_s[side] += limit.increment_s
        return True


def play_game(
    specs: tuple[PlayerSpec, PlayerSpec],
    players: tuple[RatedPlayer, RatedPlayer],
    opening: Sequence[str],
    seed: int,
) -> PlayedGame:
    """Draws by threefold repetition and fifty moves are claimed for the players, as every server does."""
    position = Position.start(specs[0].game).play_all(opening)
    moves = list(opening)
    wallclock = Wallclock((specs[0].limit, specs[1].limit))
    for side, player in enumerate(players):
        player.begin_game(2 * seed + side)

    def finished(winner: int, reason: str, fault: Fault | None = None) -> PlayedGame:
        return PlayedGame(
            specs[0].game,
            (specs[0].name, specs[1].name),
            tuple(moves),
            len(opening),
            winner,
            reason,
            (wallclock.spent_s[0], wallclock.spent_s[1]),
            fault,
        )

    while (outcome := position.outcome(claim_draws=True)) is None:
        side = position.line.side_to_move
        started = time.perf_counter()
        try:
            move = position.parse(players[side].choose(position, moves, wallclock.shown()))
        except MiltonError as error:
            fault = Fault(side, _fault_kind(error), str(error))
            return finished(1 - side, fault.kind, fault)
        if not wallclock.charge(side, time.perf_counter() - started):
            overrun = -wallclock.remaining_s[side]
            return finished(
                1 - side, "time_loss", Fault(side, "time_loss", f"{move} came {overrun:.3f} s late")
            )
        position = position.play(move)
        moves.append(move)
    winner = -1 if outcome.winner is None else int(outcome.winner == "second")
    return finished(winner, outcome.reason)


def _fault_kind(error: MiltonError) -> FaultKind:
    if isinstance(error, EngineHungError):
        return "hang"
    if isinstance(error, IllegalMoveError):
        return "illegal_move"
    return "crash"
