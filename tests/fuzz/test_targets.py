"""Every format that Milton reads refuses changed input by name. `make fuzz FUZZ_S=600` does it for longer."""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from targets import TARGETS, mutated  # noqa: E402 -- found beside this file

NUM_INPUTS = 150


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs_are_refused_by_name_or_understood(name):
    target = TARGETS[name]
    for data in islice(mutated(target.seeds(), np.random.default_rng(1)), NUM_INPUTS):
        target.check(data)


@pytest.mark.slow
def test_a_minute_of_fuzzing_finds_nothing():
    result = subprocess.run([sys.executable, HERE / "run.py", "60"], check=False)
    assert result.returncode == 0
