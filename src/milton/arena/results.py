"""Results of matches as counts: single games, and pairs of games of one opening with colours swapped.

All counts are seen by one player, the candidate of a match. Knows no Elo and no gate.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Self

from milton.errors import ArgumentError


def _check_counts(owner: object, counts: tuple[object, ...]) -> None:
    for count in counts:
        if type(count) is not int or count < 0:
            raise ArgumentError(f"counts of games must be whole numbers from 0, got {count!r} in {owner!r}")


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws and losses of games that are taken as independent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        _check_counts(self, astuple(self))

    @property
    def num_games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Draws count half."""
        return self.wins + 0.5 * self.draws

    @property
    def score(self) -> float:
        """Points a game, 0 to 1."""
        if not self.num_games:
            raise ArgumentError(f"no score without games: {self!r}")
        return self.points / self.num_games

    @property
    def reversed(self) -> Self:
        """The same games seen by the opponent."""
        return type(self)(self.losses, self.draws, self.wins)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} −{self.losses}"


# The results of a pair, better game first, in the order of PairCounts' fields.
_PAIR_RESULTS = ((1.0, 1.0), (1.0, 0.5), (1.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of games by their two results.

    Two games of one opening are not independent: an opening that is won for White gives each player a point.
    Counting pairs keeps that out of the error (the pentanomial model). The two ways to share a pair 1 : 1
    are kept apart so that wins, draws and losses follow from the same numbers.
    """

    both_won: int = 0
    win_draw: int = 0
    win_loss: int = 0
    both_drawn: int = 0
    draw_loss: int = 0
    both_lost: int = 0

    def __post_init__(self) -> None:
        _check_counts(self, astuple(self))

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Self:
        """Counts pairs of points (1, 0.5 or 0), in any order within a pair."""
        counts = dict.fromkeys(_PAIR_RESULTS, 0)
        for pair in pairs:
            ordered = (max(pair), min(pair))
            if ordered not in counts:
                raise ArgumentError(f"a pair holds two results out of 1, 0.5 and 0, got {pair!r}")
            counts[ordered] += 1
        return cls(*counts.values())

    @property
    def num_pairs(self) -> int:
        return sum(astuple(self))

    @property
    def num_games(self) -> int:
        return 2 * self.num_pairs

    @property
    def pentanomial(self) -> tuple[int, int, int, int, int]:
        """Pairs with 0, 0.5, 1, 1.5 and 2 points."""
        return self.both_lost, self.draw_loss, self.win_loss + self.both_drawn, self.win_draw, self.both_won

    @property
    def games(self) -> Score:
        """The single games."""
        return Score(
            wins=2 * self.both_won + self.win_draw + self.win_loss,
            draws=self.win_draw + 2 * self.both_drawn + self.draw_loss,
            losses=self.win_loss + self.draw_loss + 2 * self.both_lost,
        )

    @property
    def points(self) -> float:
        return self.games.points

    @property
    def score(self) -> float:
        """Points a game, 0 to 1."""
        return self.games.score

    @property
    def reversed(self) -> Self:
        """The same pairs seen by the opponent."""
        return type(self)(
            both_won=self.both_lost,
            win_draw=self.draw_loss,
            win_loss=self.win_loss,
            both_drawn=self.both_drawn,
            draw_loss=self.win_draw,
            both_lost=self.both_won,
        )

    def __add__(self, other: "PairCounts") -> "PairCounts":
        return PairCounts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


Results = Score | PairCounts
