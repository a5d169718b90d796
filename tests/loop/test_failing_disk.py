"""Fault injection: every file operation of an iteration fails once, and nothing is ever lost.

The whole of it: pytest -q -s -m slow tests/loop/test_failing_disk.py
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[1] / "support"


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C++ compiler")
    path = tmp_path_factory.mktemp("library") / "failing_calls.so"
    source = SUPPORT / "failing_calls.cpp"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", path, source, "-ldl"], check=True)
    return path


def run_with_failures(library: Path, folder: Path, *options: str) -> str:
    program = [sys.executable, SUPPORT / "failing_iterations.py", folder, *options]
    result = subprocess.run(
        program, env=os.environ | {"LD_PRELOAD": str(library)}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr[-20000:]
    print(result.stdout)
    return result.stdout


def test_a_sample_of_failing_file_operations_loses_nothing(library, tmp_path):
    said = run_with_failures(library, tmp_path, "--every=37", "--most=5")
    assert "0 lost anything" in said


def test_a_sample_of_power_cuts_loses_nothing_that_was_recorded(library, tmp_path):
    said = run_with_failures(library, tmp_path, "--every=41", "--most=4", "--power=1")
    assert "0 lost anything" in said


@pytest.mark.parametrize("power", [(), ("--power=1",)], ids=["failed writes", "power cuts"])
def test_a_sample_of_torn_writes_loses_nothing_that_was_recorded(library, tmp_path, power):
    said = run_with_failures(library, tmp_path, "--every=67", "--most=2", "--torn=1", *power)
    assert "0 lost anything" in said


@pytest.mark.slow
def test_a_power_cut_at_any_file_operation_loses_nothing_that_was_recorded(library, tmp_path):
    assert "0 lost anything" in run_with_failures(library, tmp_path, "--power=1")


@pytest.mark.slow
@pytest.mark.parametrize("power", [(), ("--power=1",)], ids=["failed writes", "power cuts"])
def test_writes_torn_anywhere_lose_nothing_that_was_recorded(library, tmp_path, power):
    assert "0 lost anything" in run_with_failures(library, tmp_path, "--torn=1", *power)


@pytest.mark.slow
def test_every_failing_file_operation_loses_nothing(library, tmp_path):
    assert "0 lost anything" in run_with_failures(library, tmp_path)
