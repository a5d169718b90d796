"""The wish for short turns changes neither priority nor policy, and may be refused; searches step back."""

import os
import sys
import threading

import pytest

from milton.games import Position
from milton.play import Engine, Limits, Network, scheduling
from milton.play.scheduling import ask_for_short_turns


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has it")
def test_priority_and_policy_stay_as_they_are():
    before = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)
    ask_for_short_turns()
    assert (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)) == before


def test_an_unknown_machine_is_not_asked(monkeypatch):
    monkeypatch.setattr(scheduling.platform, "machine", lambda: "abacus")
    assert ask_for_short_turns() is False


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux alone")
def test_a_search_steps_back_and_the_thread_that_asked_does_not():
    before = os.getpriority(os.PRIO_PROCESS, 0)
    seen = []
    engine = Engine(Network.uniform("chess"), memory_mb=4, niceness=1)
    running = engine.start(
        Position.start("chess"),
        Limits(simulations=4),
        on_choice=lambda _: seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())),
    )
    running.result()
    assert seen == [min(19, before + 1)]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
