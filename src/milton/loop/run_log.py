"""The log file of a run: messages of the loop with times. Rotated, so that it stays small."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from milton.rundir import EventLevel

LOG_NAME = "loop.log"
_MAX_BYTES = 2_000_000
_NUM_OLD_FILES = 3
_LEVELS: dict[EventLevel, int] = {
    "info": logging.INFO,
    "warning": logging.WARNING,
    "alarm": logging.ERROR,
    "error": logging.CRITICAL,
}

_log = logging.getLogger("milton.loop")
_log.addHandler(logging.NullHandler())  # without a run's file nothing is printed: views show the same lines
_log.setLevel(logging.INFO)


class _ForgivingHandler(RotatingFileHandler):
    """A full disk must not end a stage because of its log, nor fill the screen with tracebacks."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (name of logging's)
        """The line is lost; the screen and run.sqlite have it."""

    def close(self) -> None:
        """The rest of the buffer is lost with its line."""
        with suppress(OSError):
            super().close()


@contextmanager
def logging_to(run: Path) -> Iterator[None]:
    """Inside, what the loop logs goes to the run's file."""
    handler = _ForgivingHandler(
        run / LOG_NAME, maxBytes=_MAX_BYTES, backupCount=_NUM_OLD_FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    _log.addHandler(handler)
    try:
        yield
    finally:
        _log.removeHandler(handler)
        handler.close()


def log_event(level: EventLevel, text: str) -> None:
    _log.log(_LEVELS[level], "%s", text)
