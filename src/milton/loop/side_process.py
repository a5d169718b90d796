"""One process beside the loop, from its start to its end. Knows neither what it does nor why.

Its standard input is a pipe that stays open as long as this process lives: at its end the process has to end
too, whether the loop closed it or was killed.
"""

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

_LONGEST_LINE = 65_536  # bytes
_MOST_LETTERS = 300  # of a line that is passed on
_LAST_WORDS_S = 5.0  # what is left to read of a process that has ended


class SideProcess:
    def __init__(self, command: Sequence[str]) -> None:
        """Starts it with the environment of this process; OSError if that fails."""
        # A process group of its own: Ctrl-C in the terminal is for the loop. Not a session of its own: a
        # Linux that schedules by session would give it a full share whatever its priority.
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        self.exit_code: int | None = None  # until it has ended

    @property
    def pid(self) -> int:
        return self._process.pid

    def run(self, take: Callable[[str], object]) -> str:
        """Hands on each line of its output until it ends; how it ended, with the last line of its errors."""
        process, last_words = self._process, deque[str](maxlen=1)
        assert process.stdout is not None
        assert process.stderr is not None
        pairs = ((process.stdout, take), (process.stderr, last_words.append))
        readers = [threading.Thread(target=_read_lines, args=pair, daemon=True) for pair in pairs]
        try:
            for reader in readers:
                reader.start()
        except RuntimeError as error:  # the system has no thread left
            self.kill()
            self.exit_code = process.wait()
            return f"cannot be listened to: {error}"
        self._wait_and_kill_group()
        code = self.exit_code = process.wait()
        for reader in readers:
            reader.join(_LAST_WORDS_S)
        self.ask_to_end()  # closes the pipe
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"{how}: {printable(last_words[0])}" if last_words else how

    def _wait_and_kill_group(self) -> None:
        """Kills children that the process left behind: they hold its pipes open, which would hide its end.

        The process id stays reserved, also as that of the group, until the exit code is read.
        """
        if sys.platform == "linux":
            with suppress(OSError):
                os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
                os.killpg(self._process.pid, signal.SIGKILL)

    def ask_to_end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()

    def kill(self) -> None:
        self._process.kill()


def printable(line: str) -> str:
    """A line that is safe to show: of limited length, without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in line[:_MOST_LETTERS])


def _read_lines(stream: IO[bytes], take: Callable[[str], object]) -> None:
    """Passes on every line that is not empty."""
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            text = line.decode("utf-8", "replace").strip()
            if text:
                take(text)
