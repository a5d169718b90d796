"""A UCI engine's move and evaluation of many positions, straight from its pipe. Plays no games.

python-chess reads every line of an engine's thinking and plays through the moves in it, which takes longer
than a search of 1,000 nodes; docs/experiments.md has the figures. Here only the last evaluation is read.
"""

import os
import re
import select
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass

from milton.errors import ArgumentError, EngineError
from milton.games import Position

from .external import PATIENCE_S, START_PATIENCES_S, EngineHungError
from .roster import PlayerSpec

_SCORE = re.compile(r" score (cp|mate) (-?\d+)(?! (?:lower|upper)bound)")
_BEST_MOVE = re.compile(r"bestmove (\S+)")
_CHUNK = 1 << 16
_QUIT_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an engine thinks of a position."""

    move: str
    centipawns: int | None  # seen by the side to move; None if it sees a mate
    mate_in: int | None = None  # moves; below 0 if the side to move is mated


class Judge:
    """Starts the engine at once and keeps it until `close`."""

    def __init__(self, spec: PlayerSpec) -> None:
        if spec.protocol != "uci" or spec.limit is None or spec.limit.kind == "clock":
            raise ArgumentError(
                f"expected a UCI engine with a limit for each move, such as nodes:1000, got {spec.name!r}"
            )
        self._name = spec.name
        amount = round(spec.limit.amount * 1000) if spec.limit.kind == "movetime" else spec.limit.count
        self._go = f"go {spec.limit.kind} {amount}"
        self._patience_s = PATIENCE_S + (spec.limit.amount if spec.limit.kind == "movetime" else 0.0)
        self._unread = ""
        try:
            # A session of its own: Ctrl-C in the terminal must not kill it in the middle of a game.
            self._process = subprocess.Popen(
                list(spec.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineError(f"{spec.name}: does not start: {error}") from error
        try:
            self._greet(spec)
        except BaseException:
            self.close()
            raise

    def begin_game(self) -> None:
        """Nothing that was thought before has a say in what follows."""
        self._say("ucinewgame")

    def judge(self, position: Position) -> Judgement:
        """Best move and evaluation; EngineError if the engine dies, hangs or leaves one of them out."""
        self._say(f"position fen {position.fen}", self._go)
        score: re.Match[str] | None = None
        deadline = time.monotonic() + self._patience_s
        while (best := _BEST_MOVE.match(line := self._hear(deadline, position.fen))) is None:
            score = _SCORE.search(line) or score
        if score is None or best[1] == "(none)":
            raise EngineError(f"{self._name}: no evaluation of {position.fen!r}")
        amount = int(score[2])
        return Judgement(best[1], amount) if score[1] == "cp" else Judgement(best[1], None, amount)

    def close(self) -> None:
        with suppress(EngineError):
            self._say("quit")
        try:
            self._process.wait(_QUIT_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _greet(self, spec: PlayerSpec) -> None:
        self._say("uci")
        self._wait_for("uciok")
        for name, value in spec.options:
            text = str(value).lower() if isinstance(value, bool) else value
            self._say(f"setoption name {name} value {text}")
        self._say("isready")
        self._wait_for("readyok")

    def _wait_for(self, word: str) -> None:
        deadline = time.monotonic() + max(START_PATIENCES_S)
        while self._hear(deadline, "its start") != word:
            pass

    def _say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise EngineError(f"{self._name}: died: {error}") from error

    def _hear(self, deadline: float, where: str) -> str:
        """The next line; `where` names what the engine is busy with, for the error."""
        assert self._process.stdout is not None
        while "\n" not in self._unread:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([self._process.stdout], [], [], left_s)[0]:
                raise EngineHungError(f"{self._name}: no answer in time in {where!r}")
            chunk = os.read(self._process.stdout.fileno(), _CHUNK)
            if not chunk:
                raise EngineError(f"{self._name}: died in {where!r}")
            self._unread += chunk.decode("utf-8", errors="replace")
        line, self._unread = self._unread.split("\n", 1)
        return line.strip()
