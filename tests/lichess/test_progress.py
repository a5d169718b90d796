"""Where a game stands, whatever order its lines come in."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from milton.errors import IllegalMoveError, LichessError
from milton.lichess.events import GameFull, GameState
from milton.lichess.progress import Change, Progress
from milton.play import Clock

LINE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "g8f6", "f1e1"]


def state(num_moves: int, **changes) -> GameState:
    values = {"moves": " ".join(LINE[:num_moves]), "wtime": 60000, "btime": 50000, "winc": 1000}
    return GameState.model_validate(values | {"status": "started"} | changes)


def full(num_moves: int = 0, *, me: str = "white", **changes) -> GameFull:
    players = {"white": {"id": "somebody", "name": "Somebody"}, "black": {"id": "somebody"}}
    players[me] = {"id": "milton", "name": "Milton", "title": "BOT"}
    values = {
        "id": "5IrD6Gzz",
        "variant": {"key": "standard"},
        "clock": {"initial": 60000, "increment": 1000},
        "state": state(num_moves).model_dump(),
    }
    return GameFull.model_validate(values | players | changes)


def progress(num_moves: int = 0, **changes) -> Progress:
    return Progress(full(num_moves, **changes), "milton", now=0.0)


def test_a_connection_begins_with_the_whole_game():
    game = progress(9)
    assert game.ply == 9
    assert not game.is_my_turn
    assert game.position.fen.startswith("r1bqkb1r/1ppp1ppp/p1n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQR1K1 b")


def test_moves_are_added():
    game = progress(2)
    assert game.update(state(3), now=1.0) is Change.MOVED
    assert game.line == tuple(LINE[:3])
    assert not game.is_my_turn


def test_the_side_is_found_by_the_account():
    assert progress(me="black").colour == "black"
    assert progress(1, me="black").is_my_turn
    with pytest.raises(LichessError, match="stranger"):
        Progress(full(), "stranger", now=0.0)


def test_old_and_repeated_states_change_nothing():
    game = progress(3)
    assert game.update(state(5), now=1.0) is Change.MOVED
    assert game.update(state(3), now=1.0) is Change.OLD
    assert game.update(state(5), now=1.0) is Change.SAME
    assert game.line == tuple(LINE[:5])


def test_fewer_moves_in_a_new_state_may_be_a_takeback_and_are_looked_up():
    game = progress(5)
    assert game.update(state(3, wtime=41000), now=1.0) is Change.CONTRADICTION
    assert game.line == tuple(LINE[:5]), "only a new connection tells"


def test_another_beginning_is_a_contradiction():
    game = progress(5)
    other = GameState.model_validate({**state(0).model_dump(), "moves": "d2d4"})
    assert game.update(other, now=1.0) is Change.CONTRADICTION
    assert game.line == tuple(LINE[:5])


def test_an_end_is_believed_whatever_the_moves():
    game = progress(5)
    assert game.update(state(3, status="resign", winner="white"), now=1.0) is Change.SAME
    assert game.is_over
    assert game.line == tuple(LINE[:5])


def test_an_impossible_move_is_a_contradiction():
    game = progress(2)
    moves = " ".join([*LINE[:2], "e4e6"])
    impossible = GameState.model_validate({**state(0).model_dump(), "moves": moves})
    assert game.update(impossible, now=0.0) is Change.CONTRADICTION
    assert game.line == tuple(LINE[:2])
    with pytest.raises(IllegalMoveError):
        Progress(full(state=impossible.model_dump()), "milton", now=0.0)


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=False))
def test_any_order_of_the_same_lines_ends_in_the_newest(generator: random.Random):
    numbers = [generator.randrange(len(LINE) + 1) for _ in range(12)]
    game = progress()
    for number in numbers:
        game.update(state(number), now=1.0)
    assert game.line == tuple(LINE[: max(numbers)])
    assert game.position.ply == max(numbers)


def test_the_clock_runs_from_the_moment_it_was_told():
    game = progress(2)
    assert game.clock(now=10.0) == Clock(50.0, 1.0)
    game.update(state(3, wtime=48000), now=12.0)
    assert game.clock(now=20.0) == Clock(48.0, 1.0), "the opponent's time is not ours"


def test_a_repeated_state_gives_no_time_back():
    game = progress(2)
    game.update(state(2), now=30.0)
    assert game.remaining_s(now=30.0) == 30.0
    game.update(state(2, wtime=20000), now=30.0)
    assert game.remaining_s(now=31.0) == 19.0


def test_a_game_without_a_clock_has_none():
    assert progress(2, clock=None).clock(now=0.0) is None


def test_games_may_begin_elsewhere():
    fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 30"
    begun = full(variant={"key": "fromPosition"}, initialFen=fen)
    game = Progress(begun, "milton", now=0.0)
    assert game.position.fen == fen
    assert game.ply == 0
    assert game.is_my_turn


@pytest.mark.parametrize("variant", ["atomic", "chess960", "crazyhouse", ""])
def test_a_game_by_other_rules_is_not_played(variant):
    with pytest.raises(LichessError, match="not played"):
        Progress(full(variant={"key": variant}), "milton", now=0.0)
