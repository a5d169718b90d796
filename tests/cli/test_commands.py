"""What every command owes its user: help, exit codes, one line for a refusal, and a quick start."""

import json
import subprocess
import sys

import pytest

import milton
from milton.cli import run_at_the_door
from milton.errors import MiltonError


def test_version_is_the_package_version(run_milton):
    result = run_milton("--version")
    assert result.returncode == 0
    assert result.stdout == f"milton {milton.__version__}\n"


@pytest.mark.parametrize("command", ["doctor", "perft", "bench"])
def test_every_command_explains_itself(run_milton, command):
    result = run_milton(command, "--help")
    assert result.returncode == 0
    assert "--json" in result.stdout


def test_wrong_usage_exits_with_two(run_milton):
    assert run_milton("perft", "--depth", "-1").returncode == 2
    assert run_milton("no-such-command").returncode == 2


def test_a_refusal_is_one_line_on_stderr_and_exit_code_one(run_milton):
    result = run_milton("perft", "--fen", "8/8/8/8/8/8/8/8 w - -\n0 1")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith("milton: ")
    assert len(result.stderr.splitlines()) == 1


def test_bugs_keep_their_traceback():
    with pytest.raises(ZeroDivisionError):
        run_at_the_door(lambda: 1 // 0)


def test_a_milton_error_anywhere_becomes_one_line_and_exit_code_one(capsys):
    def refuse():
        raise MiltonError("two\nlines")

    with pytest.raises(SystemExit) as stopped:
        run_at_the_door(refuse)
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "milton: two lines\n"


def test_reading_a_run_does_not_wait_for_torch():
    code = "import sys\nfrom milton.loop import run_status\nassert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_command_starts_without_torch_or_the_core():
    program = (
        "import sys, milton.cli.app\n"
        "heavy = ('torch', 'numpy', 'onnxruntime', 'chess', 'milton._core')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_bench_returns_positive_figures_for_every_benchmark(run_milton):
    result = run_milton("bench", "--quick", "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["machine"]["core"] in ("generic", "avx2")
    names = {entry["name"] for entry in report["measurements"]}
    assert {"chess perft", "python-chess perft", "santorini playouts", "connect_four legal moves"} <= names
    assert all(entry["value"] > 0 for entry in report["measurements"])


def test_bench_refuses_an_unknown_name_before_it_measures(run_milton):
    result = run_milton("bench", "perft", "pertf")
    assert result.returncode == 1
    assert "'pertf'" in result.stderr
    assert result.stdout == ""
