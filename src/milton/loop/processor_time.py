"""Processor time of a run over all its starts, without workers elsewhere and processes beside the loop."""

import time

from milton.rundir import RunDir

PROCESSOR_METRIC = "loop/processor_s"  # what the run had used when an iteration was done


def recorded_processor_s(run: RunDir) -> float | None:
    """What the run's loops have used; None for a run that an older program began, or whose rows were lost."""
    recorded = run.database.progress.get("processor_s")
    if isinstance(recorded, int | float):
        return float(recorded)
    return None if run.database.stages() else 0.0


class ProcessorTime:
    """Continues from what the run has used so far."""

    def __init__(self, run: RunDir) -> None:
        self._before_s = recorded_processor_s(run)
        self._started_s = time.process_time()

    def total_s(self) -> float | None:
        if self._before_s is None:
            return None
        return self._before_s + time.process_time() - self._started_s
