"""Who met whom with which result: what ratings are made from, and the crosstable. Knows no Elo model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from milton.errors import ArgumentError

from .results import Results, Score
from .statistics import design_effect

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of two players, seen by `player`. Pairs give sharper ratings than single games."""

    player: str
    opponent: str
    results: Results

    def __post_init__(self) -> None:
        if self.player == self.opponent:
            raise ArgumentError(f"a player cannot be rated against itself: {self.player!r}")

    @property
    def games(self) -> Score:
        return self.results if isinstance(self.results, Score) else self.results.games


@dataclass(frozen=True)
class Pool:
    """Meetings as arrays, one entry a meeting. Players are sorted by name, so that order never matters."""

    players: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    first: IntArray  # [M] index of `player`
    second: IntArray  # [M] index of `opponent`
    num_games: FloatArray  # [M]
    points: FloatArray  # [M] of the first player
    design_effects: FloatArray  # [M]

    @classmethod
    def of(cls, meetings: Iterable[Meeting]) -> "Pool":
        """Meetings without games are left out."""
        played = [m for m in meetings if m.results.num_games]
        if not played:
            raise ArgumentError("no games to rate")
        # A fixed order keeps the last bits of sums the same whatever order the games came in.
        played.sort(key=lambda m: (m.player, m.opponent, m.games.wins, m.games.draws, m.games.losses))
        players = tuple(sorted({name for m in played for name in (m.player, m.opponent)}))
        index = {name: i for i, name in enumerate(players)}
        return cls(
            players=players,
            meetings=tuple(played),
            first=np.array([index[m.player] for m in played]),
            second=np.array([index[m.opponent] for m in played]),
            num_games=np.array([float(m.results.num_games) for m in played]),
            points=np.array([m.results.points for m in played]),
            design_effects=np.array([design_effect(m.results) for m in played]),
        )

    def share_of_each_meeting(self) -> FloatArray:
        """[M] part of its players' games that a meeting holds, the mean of both players' parts."""
        totals = np.zeros(len(self.players))
        np.add.at(totals, self.first, self.num_games)
        np.add.at(totals, self.second, self.num_games)
        return 0.5 * self.num_games * (1.0 / totals[self.first] + 1.0 / totals[self.second])

    def total(self, player: str) -> Score:
        """All games of a player."""
        return sum((seen.games for seen in _seen_by(player, self.meetings)), Score())


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A round robin."""

    players: tuple[str, ...]
    cells: tuple[tuple[Score | None, ...], ...]  # [row][column], seen by the row's player; None: never met
    totals: tuple[Score, ...]

    @classmethod
    def of(cls, meetings: Iterable[Meeting], order: Sequence[str] = ()) -> "Crosstable":
        """Rows and columns in the given order (a rating table's `players`); by points a game without one."""
        pool = Pool.of(meetings)
        totals = {name: pool.total(name) for name in pool.players}
        players = tuple(order) or tuple(sorted(totals, key=lambda name: (-totals[name].score, name)))
        if sorted(players) != list(pool.players):
            raise ArgumentError(
                f"the order {list(players)!r} does not name the players {list(pool.players)!r}"
            )
        cells: dict[tuple[str, str], Score] = {}
        for name in players:
            for seen in _seen_by(name, pool.meetings):
                key = (name, seen.opponent)
                cells[key] = cells.get(key, Score()) + seen.games
        rows = tuple(tuple(cells.get((row, column)) for column in players) for row in players)
        return cls(players, rows, tuple(totals[name] for name in players))


def check_connected(pool: Pool, anchors: Mapping[str, float]) -> None:
    """Refuses pools of several groups that share no scale: no game and no anchor ties them together."""
    unknown = sorted(set(anchors) - set(pool.players))
    if unknown:
        raise ArgumentError(f"anchors without games: {unknown!r}; players are {list(pool.players)!r}")
    groups = connected_groups(pool)
    loose = [group for group in groups if not set(group) & set(anchors)]
    if loose and len(groups) > 1:
        others = [group for group in groups if group != loose[0]]
        raise ArgumentError(
            f"no common scale: {list(loose[0])!r} never met any of {[list(group) for group in others]!r}; "
            "play games between them or anchor a player in each group"
        )


def connected_groups(pool: Pool) -> tuple[tuple[str, ...], ...]:
    """Players who met each other directly or through others, largest group first."""
    leader = np.arange(len(pool.players))
    for first, second in zip(pool.first, pool.second, strict=True):
        low, high = sorted((leader[first], leader[second]))
        leader[leader == high] = low
    groups: dict[int, list[str]] = {}
    for name, group in zip(pool.players, leader, strict=True):
        groups.setdefault(int(group), []).append(name)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group)))


def _seen_by(player: str, meetings: Iterable[Meeting]) -> list[Meeting]:
    own = [m for m in meetings if m.player == player]
    turned = [Meeting(m.opponent, m.player, m.results.reversed) for m in meetings if m.opponent == player]
    return own + turned
