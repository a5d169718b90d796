"""What `milton doctor` looks at. Each check looks at one thing and never raises."""

from pathlib import Path

from milton.cli.checks import machine, software
from milton.cli.checks.check import Check


def examine(runs: Path) -> list[Check]:
    """All checks, in the order a reader wants them."""
    return [
        machine.check_python(),
        software.check_installation(),
        software.check_core(),
        machine.check_cores(),
        machine.check_memory(),
        software.check_torch(),
        software.check_onnxruntime(),
        *software.check_extras(),
        software.check_stockfish(),
        software.check_rated_engines(),
        machine.check_run_folder(runs),
    ]
