"""The processes of an engine, which end with their referee. Knows no protocol.

An engine whose referee was killed may wait for commands for ever, or think on at full speed. So a shell waits
at a pipe whose other end only the referee holds. When the referee is gone, however it went, the pipe ends,
and the shell kills the engine's process group.
"""

import os
import signal
import subprocess
from contextlib import suppress

_WATCH = 'read -r _ || kill -s KILL -- "-$1"'


class EngineGroup:
    def __init__(self, leader: int) -> None:
        """`leader` is a process in a group of its own; OSError if nobody can watch over it."""
        self._leader = leader
        try:
            # A session of its own: no signal from a terminal may end it before the engine.
            self._watchdog = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH, "milton engine watchdog", str(leader)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            self.kill()
            raise

    def kill(self) -> None:
        """The engine and whatever it has started: a script may have started the engine itself."""
        with suppress(ProcessLookupError, PermissionError):  # nobody is left, or only a zombie (macOS)
            os.killpg(self._leader, signal.SIGKILL)

    def end(self) -> None:
        """Kills what the engine left behind; its leader has ended."""
        self.kill()
        self._watchdog.communicate(b"\n")
