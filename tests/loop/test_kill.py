"""A loop killed at many moments, spread over all stages and their writes, goes on as if nothing had been."""

import subprocess
import sys
from pathlib import Path

import pytest
from run_invariants import check_everything

PROGRAM = Path(__file__).parents[1] / "support" / "kill_loop.py"


def run_killed(path: Path, num_kills: int, seed: int) -> None:
    command = [sys.executable, str(PROGRAM), str(path), str(num_kills), str(seed)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]


def test_sixty_kills_lose_nothing_but_games_in_flight(tmp_path):
    run_killed(tmp_path / "run", num_kills=60, seed=1)
    check_everything(tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_three_hundred_kills(seed, tmp_path):
    run_killed(tmp_path / "run", num_kills=300, seed=seed)
    check_everything(tmp_path / "run")
