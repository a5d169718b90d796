"""The engine as a GUI sees it: a process that talks in lines."""

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S
from playing import write_playable


class Talk:
    """A conversation with `milton uci`. Waiting for a line that never comes fails the test."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "milton.cli", "uci", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put("<end>")

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """All lines up to the first that begins so."""
        seen: list[str] = []
        while not seen or not seen[-1].startswith(start):
            seen.append(self._lines.get(timeout=PATIENCE_S))
            assert seen[-1] != "<end>", f"the engine ended instead of saying {start!r}: {seen}"
        return seen

    def ask(self, *lines: str) -> list[str]:
        """Everything the engine says up to its best move."""
        self.send(*lines)
        return self.until("bestmove")

    def ready(self) -> list[str]:
        self.send("isready")
        return self.until("readyok")

    def end(self) -> tuple[int, str]:
        """Closes the input; the exit code and what went to stderr."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        return code, self.process.stderr.read().decode()


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory) -> Path:
    return write_playable(tmp_path_factory.mktemp("uci") / "net.safetensors", "sparse-chess")


def start(checkpoint: Path) -> Iterator[Talk]:
    engine = Talk("--checkpoint", str(checkpoint))
    yield engine
    if engine.process.poll() is None:
        engine.process.kill()
    engine.process.wait()


@pytest.fixture
def new_talk(checkpoint: Path) -> Iterator[Talk]:
    """An engine of one's own, to be ended."""
    yield from start(checkpoint)


@pytest.fixture(scope="session")
def shared_talk(checkpoint: Path) -> Iterator[Talk]:
    yield from start(checkpoint)


@pytest.fixture
def talk(shared_talk: Talk, checkpoint: Path) -> Talk:
    """One engine for many tests, as if it had just been started."""
    shared_talk.send(
        "stop",
        "debug off",
        "setoption name Threads value 1",
        "setoption name Hash value 64",
        "setoption name MultiPV value 1",
        "setoption name UCI_ShowWDL value false",
        "setoption name UCI_AnalyseMode value false",
        "setoption name UCI_Chess960 value false",
        "setoption name UCI_LimitStrength value false",
        "setoption name Level value 0",
        "setoption name VerboseMoveStats value false",
        "setoption name Algorithm value auto",
        "setoption name CPuct value 1.75",
        "setoption name PolicyTemperature value 1",
        f"setoption name WeightsFile value {checkpoint}",
        "ucinewgame",
        "position startpos",
    )
    shared_talk.ready()
    return shared_talk
