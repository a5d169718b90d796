"""The match of a milestone has a core of its own while it is played, and the loop has it back afterwards."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from short_loop import tiny_settings

from milton.loop import init_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cores are chosen on Linux alone")

# In a process of its own: the cores of all its threads change, and under `taskset` a test has only some.
PROGRAM = """
import json, os, sys, time
from pathlib import Path
from milton.loop.milestones import Milestones
from milton.rundir import RunDir

os.sched_setaffinity(0, range(os.cpu_count()))
told = []

def cores():
    return sorted(os.sched_getaffinity(0))

with RunDir.open(Path(sys.argv[1])) as run:
    match = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    milestones = Milestones(run, run.settings(), 2, lambda *_: match)
    told.append(cores())
    milestones.start_if_due(1, processor_s=1e6)
    told.append(cores())
    told.append(sorted(os.sched_getaffinity(milestones._process.pid)))
    if sys.argv[2] == "close":
        milestones.close()
    else:
        milestones._process.kill()
        while not milestones.notices():
            time.sleep(0.01)
    told.append(cores())
print(json.dumps(told))
"""


@pytest.mark.parametrize("end", ["close", "kill"])
def test_the_loop_leaves_one_core_to_the_match(end: str, tmp_path: Path) -> None:
    init_run(tmp_path / "run", tiny_settings(**{"loop.game": "chess"})).close()
    words = [sys.executable, "-c", PROGRAM, str(tmp_path / "run"), end]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, beside, of_match, after = json.loads(done.stdout)
    if len(before) < 2:
        pytest.skip("this machine has one core")
    assert beside == before[:-1]
    assert of_match == before[-1:]
    assert after == before
