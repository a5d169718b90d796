"""Games against a referee without tolerance, on a core that four other processes keep busy.

The whole of it: nice -n -15 pytest -q -s -m slow tests/uci/test_strict_clock.py
"""

import os
import sys

import pytest
from strict_referee import MILTON, run

NUM_GAMES = 20  # of each control; the program strict_referee.py plays any number
MOST_LOAD_PER_CORE = 1.5  # the four processes of the test are the load that it is about


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are held to one core as Linux does it")
def test_no_flag_falls_on_a_busy_core():
    load = os.getloadavg()[0]
    if load > MOST_LOAD_PER_CORE * len(os.sched_getaffinity(0)):
        pytest.skip(f"other programs keep this machine busy: load average {load:.1f}")
    core = min(os.sched_getaffinity(0))
    tallies = run((MILTON, MILTON), NUM_GAMES, ["0.5+0.005", "1+0.01"], busy=4, core=core)
    for control, tally in tallies.items():
        print(f"{control}: {tally.flags} of {tally.games} lost, lowest {1000 * tally.lowest_s:.0f} ms")
    assert [fall for tally in tallies.values() for fall in tally.falls] == []
