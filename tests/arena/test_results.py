"""Counts of games and of pairs tell the same story from both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from milton.arena.results import PairCounts, Score
from milton.errors import ArgumentError

points = st.sampled_from([0.0, 0.5, 1.0])
pair_lists = st.lists(st.tuples(points, points), max_size=60)


@given(pair_lists)
def test_pairs_hold_the_games_they_were_counted_from(pairs: list[tuple[float, float]]) -> None:
    counts = PairCounts.of(pairs)
    games = [result for pair in pairs for result in pair]
    assert counts.games == Score(games.count(1.0), games.count(0.5), games.count(0.0))
    assert counts.pentanomial == tuple(sum(sum(p) == total for p in pairs) for total in (0, 0.5, 1, 1.5, 2))
    assert counts.points == sum(games)


@given(pair_lists, pair_lists)
def test_counts_add_and_reverse(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> None:
    assert PairCounts.of(first) + PairCounts.of(second) == PairCounts.of(first + second)
    reversed_pairs = [(1 - a, 1 - b) for a, b in first]
    assert PairCounts.of(first).reversed == PairCounts.of(reversed_pairs)
    assert PairCounts.of(first).games.reversed == PairCounts.of(reversed_pairs).games


def test_draws_count_half() -> None:
    assert Score(3, 4, 3).score == pytest.approx(0.5)
    assert Score(1, 1, 0) + Score(0, 1, 2) == Score(1, 2, 2)
    assert str(Score(1, 2, 3)) == "+1 =2 −3"


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ArgumentError, match="-1"):
        Score(wins=-1)
    with pytest.raises(ArgumentError, match=r"1\.5"):
        PairCounts(both_won=1.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"\(1\.0, 0\.3\)"):
        PairCounts.of([(1.0, 0.3)])
    with pytest.raises(ArgumentError, match="no score without games"):
        _ = Score().score
