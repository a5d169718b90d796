"""The `milton` command: translates arguments into calls and results into text. It never decides anything.

Command modules import the rooms they need inside their functions, so that `milton --help` and the UCI engine
start at once and torch is loaded only by commands that use it.
"""

import sys
from collections.abc import Callable, Sequence

from milton.errors import MiltonError


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command and exits: 0 done, 1 refused or failed, 2 wrong usage."""
    from milton.cli.app import app

    run_at_the_door(lambda: app(arguments))


def run_at_the_door(work: Callable[[], object]) -> None:
    """Only MiltonError becomes a line on stderr; any other exception is a bug and keeps its traceback."""
    try:
        work()
    except MiltonError as error:
        print(f"milton: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
