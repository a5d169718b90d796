"""A loop killed at many moments, spread over all stages and their writes, goes on as if nothing had been.
What ran beside it ended each time."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kill_loop import beside_path
from patience import PATIENCE_S
from run_invariants import check_everything

PROGRAM = Path(__file__).parents[1] / "support" / "kill_loop.py"


def run_killed(path: Path, num_kills: int, seed: int, game: str = "connect_four") -> None:
    command = [sys.executable, str(PROGRAM), str(path), str(num_kills), str(seed), game]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-4000:]
    check_nothing_is_left_beside(path)


def check_nothing_is_left_beside(path: Path) -> None:
    numbers = beside_path(path).read_text().split()
    assert numbers
    give_up_s = time.monotonic() + PATIENCE_S
    while left := [number for number in numbers if is_beside(number, path)]:
        assert time.monotonic() < give_up_s, left
        time.sleep(0.05)


def is_beside(number: str, path: Path) -> bool:
    """Whether a process of that number is one of ours: another one may have the number by now."""
    try:
        os.kill(int(number), 0)
        words = Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return False
    return str(beside_path(path)).encode() in words


def test_sixty_kills_lose_nothing_but_games_in_flight(tmp_path):
    run_killed(tmp_path / "run", num_kills=60, seed=1)
    check_everything(tmp_path / "run")


def test_a_dozen_kills_of_a_run_that_labels_its_positions(tmp_path):
    run_killed(tmp_path / "run", num_kills=12, seed=5, game="chess")
    check_everything(tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_three_hundred_kills(seed, tmp_path):
    run_killed(tmp_path / "run", num_kills=300, seed=seed)
    check_everything(tmp_path / "run")
