"""Games stepped side by side must go exactly as the same games played one by one."""

import numpy as np
import pytest

from milton.errors import ArgumentError, IllegalMoveError
from milton.games import GAME_NAMES, Position, VectorGames


@pytest.mark.parametrize("game", GAME_NAMES)
def test_stepped_games_equal_games_played_one_by_one(game: str) -> None:
    games = VectorGames(game, 6, seed=3)
    positions = [Position.start(game) for _ in range(6)]
    over = np.zeros(6, bool)
    for _ in range(400):
        actions = games.sample_actions()
        before = [position.side_to_move for position in positions]
        step = games.step(actions)
        for row in np.flatnonzero(~over):
            positions[row] = positions[row].play(positions[row].move_of(int(actions[row])))
            outcome = positions[row].outcome(claim_draws=True)
            assert step.terminated[row] == (outcome is not None)
            assert step.rewards[row] == (0 if outcome is None else outcome.value(before[row]))
            assert games.position(row) == positions[row]
        over = step.over
        if over.all():
            break
    for row, position in enumerate(positions):
        assert np.array_equal(games.observe()[row], position.planes(games.encoder))
        assert games.sides_to_move()[row] == position.line.side_to_move


@pytest.mark.parametrize("game", GAME_NAMES)
def test_masks_name_exactly_the_legal_actions(game: str) -> None:
    games = VectorGames(game, 3, seed=1)
    for _ in range(5):
        games.step(games.sample_actions())
    for row in range(3):
        position = games.position(row)
        expected = {position.action_of(move) for move in position.legal_moves()}
        assert set(np.flatnonzero(games.action_masks()[row])) == expected


def test_one_illegal_action_stops_every_game_from_moving() -> None:
    games = VectorGames("chess", 2)
    actions = games.sample_actions()
    actions[1] = 4671
    with pytest.raises(IllegalMoveError, match=r"game 1: no legal move has action 4671"):
        games.step(actions)
    assert games.position(0) == Position.start("chess")


def test_a_game_that_is_over_stands_still_until_it_is_restarted() -> None:
    games = VectorGames("connect_four", 2, max_plies=2)
    for _ in range(2):
        step = games.step(games.sample_actions())
    assert step.truncated.all()
    assert not step.terminated.any()
    assert (games.sample_actions() == -1).all()
    last = games.position(0)
    again = games.step(np.array([3, 3]))
    assert games.position(0) == last
    assert again.truncated.all()
    games.restart(np.array([True, False]))
    assert games.position(0) == Position.start("connect_four")
    assert games.position(1).ply == 2


def test_equal_seeds_draw_equal_actions() -> None:
    first, second = (VectorGames("chess", 8, seed=5) for _ in range(2))
    assert np.array_equal(first.sample_actions(), second.sample_actions())
    first.reseed(6)
    assert not np.array_equal(first.sample_actions(), second.sample_actions())


def test_sizes_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ArgumentError, match="num_games"):
        VectorGames("chess", 0)
    with pytest.raises(ArgumentError, match="actions: expected shape"):
        VectorGames("chess", 2).step(np.zeros(3, np.int32))
