"""Every format that Milton reads refuses changed input by name. `make fuzz FUZZ_S=600` does it for longer."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from core_targets import core_targets  # noqa: E402 -- found beside this file
from targets import TARGETS, mutated  # noqa: E402

NUM_INPUTS = 150


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_refused_by_name_or_understood(name):
    target = TARGETS[name]
    for data in islice(mutated(target.seeds(), np.random.default_rng(1)), NUM_INPUTS):
        target.check(data)


@pytest.mark.slow
def test_a_minute_of_fuzzing_finds_nothing():
    result = subprocess.run([sys.executable, HERE / "run.py", "60", *TARGETS], check=False)
    assert result.returncode == 0


@pytest.mark.slow
def test_a_minute_of_fuzzing_the_core_finds_nothing():
    subprocess.run([HERE.parents[1] / "scripts" / "build_fuzzers.sh"], check=True)
    names = core_targets()
    if not names:
        pytest.skip("clang with libFuzzer is not installed")
    assert len(names) == len(list(HERE.parents[1].glob("core/fuzz/*.cpp")))
    result = subprocess.run([sys.executable, HERE / "run.py", "60", *names], check=False)
    assert result.returncode == 0
