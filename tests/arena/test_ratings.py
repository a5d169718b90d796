"""Ratings of a pool: known truths come back, anchors hold, nothing depends on order or on a common shift."""

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_matches import simulate_games, simulate_pairs

from milton.arena.pool import Crosstable, Meeting, Pool, connected_groups
from milton.arena.ratings import fit_ratings
from milton.arena.results import PairCounts, Score
from milton.arena.statistics import estimate_elo
from milton.errors import ArgumentError

NAMES = ["ada", "ben", "cleo", "dan", "eve", "fay"]
results = st.builds(Score, st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))


@st.composite
def connected_meetings(draw: st.DrawFn) -> list[Meeting]:
    """A chain through all players, which connects them, and a few meetings more."""
    names = NAMES[: draw(st.integers(2, len(NAMES)))]
    played = results.filter(lambda score: score.num_games > 0)
    chain = [Meeting(a, b, draw(played)) for a, b in itertools.pairwise(names)]
    couples = draw(st.lists(st.sampled_from(list(itertools.permutations(names, 2))), max_size=6))
    return chain + [Meeting(a, b, draw(results)) for a, b in couples]


def simulated_meetings(rng: np.random.Generator, truth: dict[str, float], num_pairs: int) -> list[Meeting]:
    return [
        Meeting(a, b, PairCounts.of(map(tuple, simulate_pairs(rng, num_pairs, truth[a] - truth[b]).tolist())))
        for a, b in itertools.combinations(truth, 2)
    ]


def test_two_players_get_the_elo_of_their_match() -> None:
    pairs = PairCounts(both_won=300, win_draw=200, win_loss=300, both_drawn=100, draw_loss=50, both_lost=50)
    table = fit_ratings([Meeting("new", "old", pairs)], anchors={"old": 1500.0})
    match = estimate_elo(pairs)
    assert table["old"].elo == 1500.0
    assert table["old"].low == table["old"].high == 1500.0
    assert table["new"].elo - 1500.0 == pytest.approx(match.elo, abs=0.2)
    assert table["new"].low - 1500.0 == pytest.approx(match.low, abs=0.5)
    assert table["new"].high - 1500.0 == pytest.approx(match.high, abs=0.5)


def test_known_ratings_come_back_within_their_intervals() -> None:
    rng = np.random.default_rng(7)
    truth = {"ada": 0.0, "ben": 90.0, "cleo": 180.0, "dan": 200.0, "eve": 420.0, "fay": 500.0}
    covered: list[bool] = []
    for _ in range(120):
        table = fit_ratings(simulated_meetings(rng, truth, 20), anchors={"ada": 0.0})
        covered += [table[p].low <= truth[p] <= table[p].high for p in NAMES[1:]]
        difference = table.difference("fay", "ben")
        covered.append(difference.low <= truth["fay"] - truth["ben"] <= difference.high)
    assert 0.92 < np.mean(covered) < 0.98


def test_players_who_never_met_are_compared_through_others() -> None:
    rng = np.random.default_rng(3)
    scores = simulate_games(rng, np.full(4000, 10 / 11))
    score = Score(int((scores == 1).sum()), int((scores == 0.5).sum()), int((scores == 0).sum()))
    table = fit_ratings([Meeting("cleo", "ben", score), Meeting("ben", "ada", score)])
    assert table.difference("cleo", "ada").elo == pytest.approx(800.0, abs=60.0)
    assert table.players == ("cleo", "ben", "ada")


@settings(deadline=None)
@given(connected_meetings(), st.floats(-3000, 3000), st.randoms(use_true_random=False))
def test_a_shift_of_the_anchor_shifts_everything(
    meetings: list[Meeting], shift: float, random: Random
) -> None:
    base = fit_ratings(meetings, anchors={"ada": 0.0})
    shuffled = list(meetings)
    random.shuffle(shuffled)
    shifted = fit_ratings(shuffled, anchors={"ada": shift})
    centred = fit_ratings(meetings)
    assert shifted["ada"].elo == shift
    assert np.mean([rating.elo for rating in centred.ratings]) == pytest.approx(0.0, abs=1e-6)
    for rating in base.ratings:
        assert shifted[rating.player].elo == pytest.approx(rating.elo + shift, abs=1e-4)
        assert centred.difference(rating.player, "ada").elo == pytest.approx(rating.elo, abs=1e-4)
        margin = (rating.high - rating.low) / 2
        through_covariance = centred.difference(rating.player, "ada")
        assert through_covariance.high - through_covariance.elo == pytest.approx(margin, rel=1e-4, abs=1e-4)


@settings(deadline=None)
@given(connected_meetings())
def test_every_free_player_scores_what_its_rating_expects(meetings: list[Meeting]) -> None:
    table = fit_ratings(meetings, prior_games=1e-3)
    for player in table.players:
        expected = actual = games = 0.0
        for m in meetings:
            if player in (m.player, m.opponent):
                seen = m.games if m.player == player else m.games.reversed
                other = m.opponent if m.player == player else m.player
                difference = table[player].elo - table[other].elo
                expected += seen.num_games / (1 + 10 ** (-difference / 400))
                actual += seen.points
                games += seen.num_games
        assert actual == pytest.approx(expected, abs=2e-3 + 1e-6 * games)


@settings(deadline=None)
@given(connected_meetings())
def test_the_same_games_give_the_same_bits_in_any_order(meetings: list[Meeting]) -> None:
    assert fit_ratings(meetings).ratings == fit_ratings(meetings[::-1]).ratings


def test_shut_outs_stay_finite_and_are_marked() -> None:
    table = fit_ratings([Meeting("new", "old", Score(wins=40)), Meeting("old", "older", Score(wins=40))])
    assert table["new"].shut_out
    assert not table["old"].shut_out
    assert 600 < table.difference("new", "old").elo < 1100
    assert table["new"].low < table["new"].elo < table["new"].high < 5000


def test_a_long_ladder_of_shut_outs_is_fitted() -> None:
    """What a run of many promotions looks like: each champion won everything against the one before."""
    names = [f"champion {i:03}" for i in range(80)]
    chain = [Meeting(b, a, Score(wins=40)) for a, b in itertools.pairwise(names)]
    table = fit_ratings(chain, anchors={names[0]: 0.0})
    assert table.players == tuple(reversed(names))
    steps = np.diff([table[name].elo for name in names])
    assert steps.max() < 1200


def test_two_anchors_both_hold() -> None:
    games = [Meeting("new", "low", Score(8, 2, 0)), Meeting("new", "high", Score(1, 2, 7))]
    table = fit_ratings(games, anchors={"low": 1000.0, "high": 1600.0})
    assert (table["low"].elo, table["high"].elo) == (1000.0, 1600.0)
    assert 1000 < table["new"].elo < 1600
    assert fit_ratings(games[:1], anchors={"low": 1.0, "new": 2.0})["new"].anchored


def test_more_games_narrow_the_interval() -> None:
    few = fit_ratings([Meeting("a", "b", Score(6, 2, 2))])["a"]
    many = fit_ratings([Meeting("a", "b", Score(600, 200, 200))])["a"]
    assert many.high - many.low < 0.15 * (few.high - few.low)


def test_groups_that_never_met_are_named() -> None:
    games = [Meeting("a", "b", Score(1)), Meeting("c", "d", Score(1)), Meeting("b", "e", Score(1))]
    assert connected_groups(Pool.of(games)) == (("a", "b", "e"), ("c", "d"))
    with pytest.raises(
        ArgumentError, match=r"no common scale: \['c', 'd'\] never met any of \[\['a', 'b', 'e'\]\]"
    ):
        fit_ratings(games, anchors={"a": 0.0})
    assert fit_ratings(games, anchors={"a": 0.0, "c": 100.0})["d"].elo < 100


def test_other_impossible_pools_are_refused() -> None:
    with pytest.raises(ArgumentError, match="no games to rate"):
        fit_ratings([Meeting("a", "b", Score())])
    with pytest.raises(ArgumentError, match="anchors without games: \\['z'\\]"):
        fit_ratings([Meeting("a", "b", Score(1))], anchors={"z": 0.0})
    with pytest.raises(ArgumentError, match="itself: 'a'"):
        Meeting("a", "a", Score(1))
    with pytest.raises(ArgumentError, match="no player 'x'"):
        fit_ratings([Meeting("a", "b", Score(1))])["x"]


def test_the_crosstable_adds_up_from_both_sides() -> None:
    games = [
        Meeting("a", "b", Score(1, 2, 3)),
        Meeting("b", "a", PairCounts(both_won=1)),
        Meeting("c", "a", Score(4, 0, 0)),
    ]
    table = Crosstable.of(games)
    assert table.players == ("c", "b", "a")
    assert table.cells == (
        (None, None, Score(4)),
        (None, None, Score(5, 2, 1)),
        (Score(losses=4), Score(1, 2, 5), None),
    )
    assert table.totals == (Score(4), Score(5, 2, 1), Score(1, 2, 9))
    assert Crosstable.of(games, order="abc").players == ("a", "b", "c")
    with pytest.raises(ArgumentError, match="does not name the players"):
        Crosstable.of(games, order="ab")
