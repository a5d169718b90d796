"""A player beside perfect play: what counts as optimal, and that a real solver agrees with the rules."""

import pytest

from milton.errors import ArgumentError, ExtraMissingError
from milton.games import Position
from milton.rating.perfect import (
    BitBullySolver,
    SolvedPosition,
    balanced_positions,
    measure_optimal,
    play_won_openings,
)


class LeftmostSolver:
    """Believes that the leftmost legal move wins and every other one loses."""

    def scores(self, moves):
        legal = sorted(Position.start("connect_four").play_all(moves).legal_moves())
        return {move: 5 if move == legal[0] else -5 for move in legal}


def solved(**scores: int) -> SolvedPosition:
    return SolvedPosition(Position.start("connect_four"), scores)


def test_a_move_that_keeps_the_result_counts_and_the_quickest_is_counted_apart() -> None:
    positions = [solved(a=3, b=1, c=0), solved(a=3, b=1, c=0), solved(a=-2, b=-5, c=-1)]
    choices = iter("bcb")
    share = measure_optimal(positions, lambda _position: next(choices))
    assert (share.num_positions, share.num_kept, share.num_quickest) == (3, 2, 0)
    assert (share.num_matter, share.num_matter_kept) == (2, 1)  # lost whatever is played: nothing to lose
    assert share.matter_kept == pytest.approx(0.5)


def test_a_measurement_needs_positions() -> None:
    with pytest.raises(ArgumentError, match="positions"):
        measure_optimal([], lambda _position: "a")


def test_positions_are_different_and_follow_from_the_seed() -> None:
    first, again, other = (
        [found.position.text for found in balanced_positions(LeftmostSolver(), 40, seed=seed)]
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(set(first)) == 40


def test_games_from_won_openings_are_counted_for_the_player() -> None:
    score = play_won_openings(LeftmostSolver(), lambda position: min(position.legal_moves()), count=5, seed=3)
    assert score.num_games == 5


def test_a_missing_solver_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "bitbully", None)
    with pytest.raises(ExtraMissingError, match="pip install bitbully"):
        BitBullySolver()


def test_bitbully_knows_the_value_of_the_game() -> None:
    pytest.importorskip("bitbully", reason="the perfect player is not installed: pip install bitbully")
    solver = BitBullySolver()
    scores = solver.scores([])
    assert [move for move, score in scores.items() if score > 0] == ["d"]
    assert scores["a"] == scores["g"] < 0 == scores["c"]  # the game's published result
    threat = solver.scores(["d", "d", "e", "e"])  # three in a row with both ends open come next
    assert threat["c"] > 0 or threat["f"] > 0
    (position,) = balanced_positions(solver, 1, seed=5)
    assert set(position.scores) == set(position.position.legal_moves())
