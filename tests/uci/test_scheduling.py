"""The wish for short turns changes neither priority nor policy, and may be refused."""

import os
import sys

import pytest

from milton.uci import scheduling
from milton.uci.scheduling import ask_for_short_turns


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has it")
def test_priority_and_policy_stay_as_they_are():
    before = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)
    ask_for_short_turns()
    assert (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)) == before


def test_an_unknown_machine_is_not_asked(monkeypatch):
    monkeypatch.setattr(scheduling.platform, "machine", lambda: "abacus")
    assert ask_for_short_turns() is False
