"""A core that another process has to itself, watched from a process with threads of its own."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cores are chosen on Linux alone")

# Under `taskset` a test has fewer cores than the machine, so the program takes all that it can get.
PROGRAM = """
import json, os, subprocess, sys, threading
from pathlib import Path
from milton.system import LentCore

os.sched_setaffinity(0, range(os.cpu_count()) if sys.argv[1] == "all" else {max(os.sched_getaffinity(0))})
told, ends = [], threading.Event()

def cores():
    threads = [int(entry.name) for entry in Path("/proc/self/task").iterdir()]
    return sorted({tuple(sorted(os.sched_getaffinity(thread))) for thread in threads})

def start_thread():
    threading.Thread(target=ends.wait, daemon=True).start()

start_thread()
told.append(cores())
other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
core = LentCore(other.pid)
start_thread()
told.append(cores())
told.append([sorted(os.sched_getaffinity(other.pid))])
other.communicate(b"\\n")
core.take_back()
core.take_back()
told.append(cores())
LentCore(other.pid)
told.append(cores())
print(json.dumps(told))
"""


def watch(which: str) -> list[list[list[int]]]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, which], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: list[list[list[int]]] = json.loads(done.stdout)
    return told


def test_all_threads_leave_the_core_until_it_is_taken_back() -> None:
    before, lent, of_other, after, of_nobody = watch("all")
    (cores,) = before
    if len(cores) < 2:
        pytest.skip("this machine has one core")
    assert lent == [cores[:-1]]
    assert of_other == [cores[-1:]]
    assert after == before
    assert of_nobody == before  # a process that has ended needs none


def test_a_single_core_is_shared() -> None:
    before, lent, of_other, after, _ = watch("one")
    assert before == lent == of_other == after
