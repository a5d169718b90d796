"""Plays one game between two players under a referee. No rating."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from milton.errors import IllegalMoveError, MiltonError, NotationError
from milton.games import Position
from milton.records import Evaluation, GameRecord, Ply, today, winner_of

from .adjudication import PLAYED_OUT, Adjudicator, Referee
from .limits import Clocks, MoveLimit
from .player_spec import PlayerSpec
from .players import NetworkPlayer, RatedPlayer
from .uci_process import EngineHungError

FaultKind = Literal["crash", "hang", "illegal_move", "time_loss"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A game that was not decided on the board, and who is to blame."""

    side: int  # 0 the first player, 1 the second
    kind: FaultKind
    detail: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game from the start position, and how it came about."""

    record: (
        GameRecord  # with the opening; who is at fault has lost, `end_reason` is then the kind of the fault
    )
    num_opening_plies: int
    think_time_s: tuple[float, float]  # of each side in all
    fault: Fault | None = None

    @property
    def players(self) -> tuple[str, str]:
        """The first player, the second."""
        return self.record.players

    @property
    def moves(self) -> tuple[str, ...]:
        return self.record.moves

    @property
    def winner(self) -> int:
        """0 first, 1 second, −1 draw."""
        assert self.record.winner is not None
        return self.record.winner

    @property
    def end_reason(self) -> str:
        return self.record.end_reason

    def points_of(self, side: int) -> float:
        return 0.5 if self.winner < 0 else float(self.winner == side)

    def moves_of(self, side: int) -> int:
        """Moves that the side chose itself."""
        return self.record.sides_to_move[self.num_opening_plies :].count(side)


class Wallclock:
    """The clocks of a game, counted as a referee counts: from question to answer."""

    def __init__(self, limits: tuple[MoveLimit | None, MoveLimit | None], margin_s: float = 0.0) -> None:
        self._limits = limits
        self._margin_s = margin_s
        self.spent_s = [0.0, 0.0]
        # A player without a clock has one that never runs out.
        self.remaining_s = [
            limit.amount if limit is not None and limit.kind == "clock" else 3600.0 for limit in limits
        ]

    def shown(self) -> Clocks:
        first, second = (limit.increment_s if limit else 0.0 for limit in self._limits)
        return Clocks((self.remaining_s[0], self.remaining_s[1]), (first, second))

    def shown_s(self, side: int) -> float | None:
        """What is left to a side that has a clock."""
        limit = self._limits[side]
        return self.remaining_s[side] if limit is not None and limit.kind == "clock" else None

    def charge(self, side: int, seconds: float) -> bool:
        """Whether the side is still within its time; within the margin it continues with an empty clock."""
        self.spent_s[side] += seconds
        limit = self._limits[side]
        if limit is None or limit.kind != "clock":
            return True
        self.remaining_s[side] -= seconds
        if self.remaining_s[side] < -self._margin_s:
            return False
        self.remaining_s[side] = max(0.0, self.remaining_s[side]) + limit.increment_s
        return True


def play_game(
    specs: tuple[PlayerSpec, PlayerSpec],
    players: tuple[RatedPlayer, RatedPlayer],
    opening: Sequence[str],
    seed: int,
    referee: Referee = PLAYED_OUT,
) -> PlayedGame:
    """Draws by threefold repetition and fifty moves are claimed for the players, as every server does."""
    position = Position.start(specs[0].game).play_all(opening)
    moves = list(opening)
    plies = [Ply(move) for move in opening]
    if plies:
        plies[-1] = replace(plies[-1], comment="end of the opening")
    wallclock = Wallclock((specs[0].limit, specs[1].limit), referee.time_margin_s)
    adjudicator = Adjudicator(referee)

    def finished(winner: int, reason: str, fault: Fault | None = None) -> PlayedGame:
        names = (specs[0].name, specs[1].name)
        tags = {"Event": "Milton rating", "Date": today()}
        for colour, player in zip(("White", "Black"), players, strict=True):
            if isinstance(player, NetworkPlayer) and player.algorithm is not None:
                tags[f"{colour}Algorithm"] = player.algorithm
        if fault is not None:
            tags["Fault"] = f"{names[fault.side]}: {fault.detail}"
        record = GameRecord(
            specs[0].game, Position.start(specs[0].game).text, tuple(plies), winner, reason, names, tags
        )
        return PlayedGame(record, len(opening), (wallclock.spent_s[0], wallclock.spent_s[1]), fault)

    for side, player in enumerate(players):
        try:
            player.begin_game(2 * seed + side)
        except MiltonError as error:  # translated, as below
            fault = Fault(side, _fault_kind(error), str(error))
            return finished(1 - side, fault.kind, fault)
    while (outcome := position.outcome(claim_draws=True)) is None:
        side = position.line.side_to_move
        started = time.perf_counter()
        try:
            move = position.parse(players[side].choose(position, moves, wallclock.shown()))
        except MiltonError as error:  # translated: whatever a player does wrong loses its game
            fault = Fault(side, _fault_kind(error), str(error))
            return finished(1 - side, fault.kind, fault)
        if not wallclock.charge(side, time.perf_counter() - started):
            overrun = -wallclock.remaining_s[side]
            return finished(
                1 - side, "time_loss", Fault(side, "time_loss", f"{move} came {overrun:.3f} s late")
            )
        position = position.play(move)
        moves.append(move)
        plies.append(Ply(move, _evaluation(side, players[side].score_cp), clock_s=wallclock.shown_s(side)))
        adjudged = adjudicator.after_move(side, players[side].score_cp, len(moves))
        if adjudged is not None:
            return finished(adjudged, "adjudicated")
    return finished(winner_of(outcome), outcome.reason)


def _evaluation(side: int, score_cp: int | None) -> Evaluation | None:
    return None if score_cp is None else Evaluation(-score_cp if side else score_cp)


def _fault_kind(error: MiltonError) -> FaultKind:
    if isinstance(error, EngineHungError):
        return "hang"
    if isinstance(error, IllegalMoveError | NotationError):
        return "illegal_move"
    return "crash"
