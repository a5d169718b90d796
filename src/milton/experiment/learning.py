"""One run of `milton loop` as its own process, up to a number of iterations or an amount of processor time.

Processor time, not the clock: on a shared machine the clock would also measure other programs.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from milton.config.toml_text import toml_value
from milton.errors import ArgumentError, RunError
from milton.rundir import RunDir, lock_owner
from milton.rundir.run import LOCK_NAME

_LOOK_EVERY_S = 0.2
_STOP_PATIENCE_S = 300.0  # a stage that ends cleanly may take a while on a busy machine
# Whoever conducts the experiment may be killed; then the system asks the loop to stop, as Ctrl-C does.
_ASK_WITH_PARENT = (
    "import ctypes, os, signal, sys; ctypes.CDLL(None).prctl(1, signal.SIGINT); "
    # A job in the background of a shell ignores Ctrl-C, and so would the loop.
    "signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


def loop_command(
    run: Path, game: str, seed: int, *, profile: str | None, iterations: int, overrides: Mapping[str, object]
) -> list[str]:
    """The command that makes or resumes the run; 0 iterations: no end."""
    command = [sys.executable, "-m", "milton.cli", "loop", "--run", str(run), "--game", game]
    command += ["--seed", str(seed), "--iterations", str(iterations), "--plain", "--no-dashboard"]
    command += ["--profile", profile] if profile is not None else []
    # Ratings beside a run would take time from what is compared.
    for name, value in {"milestones.games": 0, **overrides}.items():
        command += ["--set", f"{name}={toml_value(value)}"]
    return command


def learn(
    command: list[str],
    folder: Path,
    log_name: str,
    *,
    budget_s: float | None,
    used_s: float,
    on_time: Callable[[float], None],
) -> float:
    """Processor seconds that the run has used in all, `used_s` of them before.

    `on_time` hears them now and then. What the loop prints is appended to the log in `folder`. The user's own
    settings are ignored: an experiment means the same for everybody.
    """
    if budget_s is not None and not Path("/proc/self/stat").exists():
        raise ArgumentError("processor_minutes are read from Linux's /proc; use iterations here")
    wrapped = [sys.executable, "-c", _ASK_WITH_PARENT, *command] if sys.platform == "linux" else command
    spent_s, log = 0.0, folder / log_name
    environment = {**os.environ, "MILTON_HOME": str(folder / "home")}
    with log.open("ab") as file:
        loop = subprocess.Popen(
            wrapped,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        try:
            while loop.poll() is None:
                spent_s = max(spent_s, processor_seconds(loop.pid))
                on_time(used_s + spent_s)
                if budget_s is not None and used_s + spent_s >= budget_s:
                    _stop(loop)
                    return used_s + spent_s
                time.sleep(_LOOK_EVERY_S)
        except BaseException:
            _stop(loop)
            raise
    if loop.returncode != 0:
        raise RunError(f"the loop ended with {loop.returncode}; its output is in {str(log)!r}")
    return used_s + spent_s


def wait_until_free(run: Path) -> None:
    """A loop that outlived a killed experiment stops by itself; its folder is free then."""
    deadline = time.monotonic() + _STOP_PATIENCE_S
    while RunDir.exists(run) and (owner := lock_owner(run / LOCK_NAME)) is not None:
        if time.monotonic() > deadline:
            raise RunError(f"run folder {str(run)!r} is in use by process {owner}; stop that one first")
        time.sleep(_LOOK_EVERY_S)


def processor_seconds(session: int) -> float:
    """User and system time of a session's processes and of their children that have ended (Linux)."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Counted behind the name, which may hold anything.
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _stop(loop: "subprocess.Popen[bytes]") -> None:
    loop.send_signal(signal.SIGINT)
    try:
        loop.wait(_STOP_PATIENCE_S)
    except subprocess.TimeoutExpired:
        loop.kill()
        loop.wait()
