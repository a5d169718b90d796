"""The `milton` command: translates arguments into calls and results into text. It never decides anything.

Command modules import the rooms they need inside their functions, so that `milton --help` and the UCI engine
start at once and torch is loaded only by commands that use it.
"""

import errno
import io
import sys
from collections.abc import Callable, Sequence
from traceback import walk_tb
from typing import NoReturn

from milton.errors import MiltonError
from milton.extras import explain_import_error

UNFORESEEN = 70  # EX_SOFTWARE of sysexits.h
# What the system refuses about a file is nobody's bug, wherever it comes to light.
_REFUSED_BY_SYSTEM = (
    errno.EACCES,
    errno.EDQUOT,
    errno.ENAMETOOLONG,
    errno.ENOSPC,
    errno.EPERM,
    errno.EROFS,
)
INTERRUPTED = 130  # 128 + SIGINT, as shells say it


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command and exits: 0 done, 1 refused or failed, 2 wrong usage, 70 unexpected, 130 Ctrl-C."""
    run_reporting_errors(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> None:
    from milton.cli.app import app

    app(arguments)


def run_reporting_errors(work: Callable[[], object]) -> None:
    """MiltonError, an extra that is not installed, a core that cannot be loaded, a file that the system
    refuses, a lack of memory and Ctrl-C become a line on stderr.

    Any other exception is a bug: a line too, with its traceback in a file.
    """
    _print_any_text()
    try:
        work()
    except KeyboardInterrupt:  # while modules are loaded; later the command itself takes care of it
        print("milton: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except MiltonError as error:
        _fail(error)
    except ModuleNotFoundError as error:
        explained = explain_import_error(error)
        if explained is None:
            _fail_unforeseen(error)
        _fail(explained)
    except ImportError as error:
        if not _raised_by_core(error):
            _fail_unforeseen(error)
        _fail(MiltonError(str(error)))
    except Exception as error:  # noqa: BLE001 -- the one catch-all of the program
        if isinstance(error, OSError) and error.filename is not None and error.errno in _REFUSED_BY_SYSTEM:
            _fail(MiltonError(f"{error.filename!r}: {error.strerror}"))
        if _is_out_of_memory(error):
            _fail(MiltonError("not enough memory; ask for less (threads, window, batch, hash) or free some"))
        _fail_unforeseen(error)


def _print_any_text() -> None:
    """A character that the terminal cannot show, or half of one in a file's name, is escaped and no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not if it was closed, or replaced
            stream.reconfigure(errors="backslashreplace")


def _fail(error: MiltonError) -> NoReturn:
    print(f"milton: {' '.join(str(error).split())}", file=sys.stderr)
    sys.exit(1)


def _fail_unforeseen(error: Exception) -> NoReturn:
    from milton.config.failure_log import log_failure

    log = log_failure(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    print(f"milton: unexpected error: {what}; its traceback is in {log}", file=sys.stderr)
    sys.exit(UNFORESEEN)


def _raised_by_core(error: ImportError) -> bool:
    """Whether the compiled core could not be loaded; its words say why: not compiled, or not for this CPU."""
    return any(frame.f_globals.get("__name__") == "milton._core" for frame, _ in walk_tb(error.__traceback__))


def _is_out_of_memory(error: Exception) -> bool:
    """Also by the words of PyTorch, which has no class for it on a CPU."""
    words = ("can't allocate memory", "not enough memory", "std::bad_alloc", "Cannot allocate memory")
    return isinstance(error, MemoryError) or any(word in str(error) for word in words)
