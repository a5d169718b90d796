"""Searches in a thread of their own: stop, ponder, news, changes between moves."""

import threading
import time

import pytest
from patience import PATIENCE_S

from milton.errors import ArgumentError
from milton.games import Position
from milton.play import Clock, Engine, Limits, Network

START = Position.start("chess")


def test_an_infinite_search_goes_on_until_it_is_stopped(engine):
    heard = threading.Event()
    running = engine.start(START, Limits(infinite=True), on_info=lambda _: heard.set())
    assert heard.wait(PATIENCE_S)
    assert not running.is_done
    running.stop()
    assert running.result(PATIENCE_S).move in START.legal_moves()


def test_an_infinite_search_waits_even_when_everything_is_proven(engine):
    heard = threading.Event()
    mate = Position.from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    running = engine.start(mate, Limits(infinite=True), on_info=lambda _: heard.set())
    assert heard.wait(PATIENCE_S)
    assert not running.is_done
    running.stop()
    assert running.result(PATIENCE_S).mate_in == 1


def test_a_stop_that_comes_at_once_still_gets_a_move(engine):
    for _ in range(50):
        running = engine.start(START, Limits(infinite=True))
        running.stop()
        assert running.result(PATIENCE_S).move in START.legal_moves()


def test_a_ponder_hit_makes_the_limits_count(engine):
    heard = threading.Event()
    limits = Limits(clock=Clock(1.0))
    running = engine.start(START, limits, ponder=True, on_info=lambda _: heard.set())
    assert heard.wait(PATIENCE_S)
    assert not running.is_done
    running.ponderhit()
    assert running.result(PATIENCE_S).move in START.legal_moves()


def test_a_ponder_hit_that_comes_at_once_is_not_lost(engine):
    for _ in range(50):
        running = engine.start(START, Limits(nodes=50), ponder=True)
        running.ponderhit()
        assert running.result(PATIENCE_S).move in START.legal_moves()


def test_pondering_on_the_wrong_move_is_stopped(engine):
    running = engine.start(START, Limits(nodes=1), ponder=True)
    running.stop()
    assert running.result(PATIENCE_S).move
    running.ponderhit()  # too late, and harmless
    assert engine.choose(START, Limits(nodes=50)).num_nodes == 50


def test_pondering_a_decided_position_waits_for_the_hit(engine):
    mated = Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    running = engine.start(mated, Limits(nodes=1), ponder=True)
    assert not running.is_done
    running.ponderhit()
    assert running.result(PATIENCE_S).move is None


def test_the_choice_is_the_last_news(engine):
    order = []
    running = engine.start(
        START,
        Limits(nodes=200_000),
        on_info=lambda _: order.append("info"),
        on_choice=lambda _: order.append("choice"),
    )
    running.result(PATIENCE_S)
    engine.stop()
    assert order[-1] == "choice"
    assert order.count("choice") == 1


def test_nothing_is_changed_under_a_running_search(engine):
    engine.start(START, Limits(infinite=True))
    for change in (engine.forget, lambda: engine.set_threads(2), lambda: engine.set_memory(32)):
        with pytest.raises(ArgumentError, match="searching"):
            change()
    with pytest.raises(ArgumentError, match="searching"):
        engine.choose(START, Limits(nodes=1))
    engine.stop()
    engine.set_threads(2)
    engine.set_memory(32)
    assert engine.choose(START, Limits(simulations=100)).num_nodes == 100


def test_an_error_in_a_callback_reaches_whoever_waits(engine):
    def fail(_):
        raise RuntimeError("no paper left")

    previous, threading.excepthook = threading.excepthook, lambda _: None
    try:
        running = engine.start(START, Limits(nodes=10), on_choice=fail)
        with pytest.raises(RuntimeError, match="paper"):
            running.result(PATIENCE_S)
        engine.stop()
    finally:
        threading.excepthook = previous
    assert engine.choose(START, Limits(nodes=10)).move


@pytest.mark.slow
def test_a_real_game_keeps_its_time(engine):
    """1+0.01 with the engine on both sides: a clock that runs out loses. The clocks count processor time,
    because a busy machine may take a second away from anybody."""
    increment_s = 0.01
    position, remaining_s = START, [1.0, 1.0]
    for ply in range(60):
        side = ply % 2
        started_s = time.process_time()
        choice = engine.choose(position, Limits(clock=Clock(remaining_s[side], increment_s)))
        remaining_s[side] -= time.process_time() - started_s
        assert remaining_s[side] > 0
        remaining_s[side] += increment_s
        position = position.play(choice.move)
        if position.outcome(claim_draws=True) is not None:
            break


def test_a_search_of_a_moment_is_made_in_the_callers_thread():
    """On a busy core a hand-off between threads costs more than such a search."""
    engine = Engine(Network.uniform("chess"), memory_mb=8)
    threads: list[threading.Thread] = []

    def on_choice(_: object) -> None:
        threads.append(threading.current_thread())

    for limits in (Limits(movetime_s=0.02), Limits(clock=Clock(0.1)), Limits(movetime_s=0.2)):
        engine.start(Position.start("chess"), limits, on_choice=on_choice, patience_s=0.04).result(PATIENCE_S)
    assert [thread is threading.current_thread() for thread in threads] == [True, True, False]


def test_time_counts_from_the_moment_that_the_door_names():
    engine = Engine(Network.uniform("chess"), memory_mb=8)
    an_hour_ago = time.perf_counter() - 3600
    running = engine.start(Position.start("chess"), Limits(movetime_s=3000.0), asked_s=an_hour_ago)
    assert running.result(PATIENCE_S).move is not None
