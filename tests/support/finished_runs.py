"""What tests of damaged runs ask and do."""

from io import StringIO

from rich.console import Console

from milton.loop import run_loop
from milton.loop.loop import STAGES
from milton.rundir import RunDir

ALL_STAGES = {name for name, _ in STAGES}


def go_on(run: RunDir, iterations: int) -> bool:
    return run_loop(run, run.settings(), iterations=iterations, console=Console(file=StringIO()))


def messages(run: RunDir) -> str:
    return "\n".join(f"{event.level} {event.message}; {event.action}" for event in run.database.events())


def done_stages(run: RunDir, iteration: int) -> set[str]:
    return {record.stage for record in run.database.stages(iteration)}
