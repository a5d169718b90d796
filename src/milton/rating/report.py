"""Counts played pairs: scores by opponent, faults, ratings of the pool. Plays nothing, prints nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from milton.arena import EloEstimate, Meeting, PairCounts, RatingTable, estimate_elo, fit_ratings

from .game import Fault, PlayedGame
from .player_spec import PlayerSpec
from .workers import PlayedPair


@dataclass
class MeetingRecord:
    """All pairs of two players, seen by `a`. A pair that the opponent's failure spoilt is kept apart."""

    a: PlayerSpec
    b: PlayerSpec
    pairs: list[PlayedPair] = field(default_factory=list)

    @property
    def counted(self) -> list[PlayedPair]:
        return [pair for pair in self.pairs if not is_void(pair)]

    @property
    def num_void_pairs(self) -> int:
        return len(self.pairs) - len(self.counted)

    @property
    def counts(self) -> PairCounts:
        return PairCounts.of(pair.points for pair in self.counted)

    @property
    def estimate(self) -> EloEstimate | None:
        counts = self.counts
        return estimate_elo(counts) if counts.num_pairs else None

    @property
    def games(self) -> list[PlayedGame]:
        return [game for pair in self.pairs for game in pair.games]

    @property
    def num_distinct(self) -> int:
        """Games that differ in their moves: a repeated one is no evidence."""
        return len({game.moves for pair in self.counted for game in pair.games})

    @property
    def faults(self) -> list[tuple[str, Fault]]:
        """Who failed, and how."""
        return [(game.players[game.fault.side], game.fault) for game in self.games if game.fault]

    def mean_think_time_s(self, player: PlayerSpec) -> float:
        """Seconds a move of one of the two."""
        seconds, moves = 0.0, 0
        for pair in self.pairs:
            for number, game in enumerate(pair.games):
                side = number if player is self.a else 1 - number
                seconds += game.think_time_s[side]
                moves += game.moves_of(side)
        return seconds / moves if moves else 0.0

    def meeting(self) -> Meeting:
        return Meeting(self.a.name, self.b.name, self.counts)


def is_void(pair: PlayedPair) -> bool:
    """Whether an engine broke down instead of losing. Our own failures and lost clocks are losses."""
    specs = (pair.task.a, pair.task.b)
    return any(
        fault.kind != "time_loss" and specs[player].kind == "engine" and not specs[player].is_ours
        for player, fault in pair.faults
    )


def rate_pool(
    records: Iterable[MeetingRecord], anchors: Mapping[str, float] | None = None
) -> RatingTable | None:
    """Maximum-likelihood Elo of all players; None if no pair counted."""
    meetings: Sequence[Meeting] = [record.meeting() for record in records if record.counts.num_pairs]
    if not meetings:
        return None
    present = {name for meeting in meetings for name in (meeting.player, meeting.opponent)}
    return fit_ratings(meetings, {name: elo for name, elo in (anchors or {}).items() if name in present})
