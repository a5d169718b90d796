"""Runs the `milton` command as a user does: in its own process."""

import subprocess
import sys
from collections.abc import Callable

import pytest

RunMilton = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run_milton() -> RunMilton:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "milton.cli", *arguments], capture_output=True, text=True, check=False
        )

    return run
