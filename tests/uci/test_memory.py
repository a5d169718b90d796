"""Less memory than `Hash` asks for: the engine plays with what it gets."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE_S

from milton.system import physical_memory_mb

LIMIT_MB, HASH_MB = 1200, 3000  # half of a tree's memory is taken later, for its copy


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
@pytest.mark.skipif(physical_memory_mb() < HASH_MB, reason="such a Hash is refused by name here")
@pytest.mark.parametrize("algorithm", ["alphabeta", "mcts"])
def test_a_table_that_is_not_to_be_had_is_made_smaller(checkpoint: Path, algorithm: str):
    limit = LIMIT_MB << 20
    lines = (
        f"setoption name Algorithm value {algorithm}",
        f"setoption name Hash value {HASH_MB}",
        "isready",
        "position startpos",
        "go nodes 100",
    )
    result = subprocess.run(
        [sys.executable, "-m", "milton.cli", "uci", "--checkpoint", str(checkpoint)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # each has address space of its own
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert result.returncode == 0, result.stderr
    said = result.stdout.splitlines()
    assert any(line.startswith(f"info string no memory for Hash {HASH_MB}, ") for line in said)
    assert said.index("readyok") < len(said) - 1
    assert said[-1].startswith("bestmove ")
    assert result.stderr == ""
