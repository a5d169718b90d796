"""A UCI engine in a process of its own, spoken to over pipes. Knows the protocol, no games and no clocks.

python-chess reads every line of an engine's thinking and plays through the moves in it, which takes longer
than a search of 1,000 nodes; docs/experiments.md has the figures. Here only the last evaluation is read.
"""

import os
import re
import select
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, get_args

from milton.errors import ArgumentError, EngineError

from .engine_group import EngineGroup

OptionKind = Literal["spin", "check", "string", "combo", "button"]
OptionValue = str | int | float | bool

# Beyond its limit an engine gets this long before it counts as hung.
PATIENCE_S = 20.0
# Starting reads large networks from the disk; on a busy machine that may take long.
START_PATIENCE_S = 60.0
MATE_CENTIPAWNS = 100_000  # a mate in n moves counts as this minus n

_OPTION = re.compile(
    r"option name (.+?) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?(?: var .*)?"
)
_SCORE = re.compile(rb" score (cp|mate) (-?\d+)(?!\d| (?:lower|upper)bound)")
_NODES = re.compile(rb" nodes (\d+)")
_CHUNK = 1 << 16
_KEPT_THINKING = 1 << 16  # bytes before the best move in which its evaluation is looked for
_QUIT_PATIENCE_S = 5.0
_STDERR_TAIL = 500  # bytes


class EngineHungError(EngineError):
    """An engine that did not answer in time."""


@dataclass(frozen=True, slots=True)
class UciOption:
    """An option as the engine announces it."""

    name: str
    kind: OptionKind
    default: str
    low: int | None = None
    high: int | None = None

    def check(self, value: OptionValue) -> str:
        """The value as the protocol writes it; ArgumentError if the engine would not take it."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if self.kind == "spin":
            try:
                number = int(text)
            except ValueError:
                raise ArgumentError(f"option {self.name!r} takes a whole number, got {text!r}") from None
            if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
                raise ArgumentError(f"option {self.name!r} goes from {self.low} to {self.high}, got {number}")
        if self.kind == "check" and text not in ("true", "false"):
            raise ArgumentError(f"option {self.name!r} takes true or false, got {text!r}")
        return text


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to `go`: the move, and the last evaluation and node count that the engine gave before it."""

    move: str
    centipawns: int | None = None  # seen by the side to move; None if it sees a mate or says nothing
    mate_in: int | None = None  # moves; below 0 if the side to move is mated
    nodes: int | None = None

    @property
    def score_cp(self) -> int | None:
        """One number for both; None if the engine said nothing."""
        if self.mate_in is None:
            return self.centipawns
        return MATE_CENTIPAWNS - self.mate_in if self.mate_in > 0 else -MATE_CENTIPAWNS - self.mate_in


class UciProcess:
    """Starts the engine at once and keeps it until `close`."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self.identity = ""  # what the engine calls itself, version included
        self.options: dict[str, UciOption] = {}  # by name in small letters: the protocol knows no others
        self.values: dict[str, str] = {}  # options that were set, by the engine's own name
        self._unread = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the process)
        try:
            # A session of its own: Ctrl-C in the terminal must not kill it in the middle of a game.
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,
            )
            self._group = EngineGroup(self._process.pid)
        except OSError as error:
            self._errors.close()
            raise EngineError(f"{name}: does not start: {error}") from error
        try:
            self._handshake()
        except BaseException:
            self.close()
            raise

    def find_option(self, *names: str) -> UciOption | None:
        """The first of these options that the engine has."""
        return next((self.options[name.lower()] for name in names if name.lower() in self.options), None)

    def set_options(self, values: Mapping[str, OptionValue]) -> None:
        """Sets options and waits until the engine is ready; ArgumentError for one that it does not have."""
        for name, value in values.items():
            option = self.find_option(name)
            if option is None:
                known = ", ".join(sorted(option.name for option in self.options.values())) or "none"
                raise ArgumentError(f"{self.name}: has no option {name!r}; it has {known}")
            text = option.check(value)
            self.say(f"setoption name {option.name} value {text}")
            self.values[option.name] = text
        if values:
            self.wait_until_ready()

    def value_of(self, *names: str) -> str | None:
        """The value of an option: as set, else the engine's default; None if there is no such option."""
        option = self.find_option(*names)
        return None if option is None else self.values.get(option.name, option.default)

    def begin_game(self) -> None:
        """Clears what the engine remembers of earlier positions."""
        self._forget_errors()
        self.say("ucinewgame")
        self.wait_until_ready()

    def think(self, position: str, go: str, patience_s: float) -> BestMove:
        """Best move and last evaluation. `position` and `go` are the protocol's lines."""
        self.say(position, go)
        deadline = time.monotonic() + patience_s
        thinking = self._unread
        while (found := _find_best_move(thinking)) is None:
            thinking = thinking[-_KEPT_THINKING:] + self._read(deadline, position)
        start, end = found
        answer, self._unread = thinking[start:end].decode(errors="replace").split(), thinking[end + 1 :]
        if len(answer) < 2 or answer[1] in ("(none)", "0000"):
            raise EngineError(f"{self.name}: no move in {position!r}")
        kind, amount = _last_score(thinking[:start]) or ("", 0)
        return BestMove(
            answer[1],
            centipawns=amount if kind == "cp" else None,
            mate_in=amount if kind == "mate" else None,
            nodes=_last_nodes(thinking[:start]),
        )

    def wait_until_ready(self) -> None:
        self.say("isready")
        self._wait_for("readyok")

    def say(self, *lines: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise self._exit_error("a command") from error

    def close(self, *, at_once: bool = False) -> None:
        """Asks the engine to leave, and kills one that does not; `at_once` does not ask."""
        if at_once:
            self._group.kill()
        else:
            with suppress(EngineError):
                self.say("quit")
        try:
            self._process.wait(_QUIT_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._group.kill()
            self._process.wait()
        self._group.end()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._errors.close()

    def _exit_error(self, where: str) -> EngineError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_QUIT_PATIENCE_S)  # its last output may still be in the pipe
        words = self._last_error_line()
        return EngineError(f"{self.name}: died in {where!r}" + (f": {words}" if words else ""))

    def _last_error_line(self) -> str:
        """The last line that the engine wrote to stderr."""
        # The file's offset belongs to the engine, too: it must not be moved here.
        size = os.fstat(self._errors.fileno()).st_size
        tail = os.pread(self._errors.fileno(), _STDERR_TAIL, max(0, size - _STDERR_TAIL))
        lines = tail.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def _forget_errors(self) -> None:
        """Keeps an engine that writes a lot to stderr from filling the disk."""
        os.lseek(self._errors.fileno(), 0, os.SEEK_SET)
        self._errors.truncate(0)

    def _handshake(self) -> None:
        self.say("uci")
        for line in self._wait_for("uciok"):
            if line.startswith("id name "):
                self.identity = line.removeprefix("id name ")
            elif (match := _OPTION.fullmatch(line)) is not None and match[2] in get_args(OptionKind):
                low, high = (int(match[4]), int(match[5])) if match[4] is not None else (None, None)
                option = UciOption(match[1], match[2], match[3] or "", low, high)  # type: ignore[arg-type]
                self.options[option.name.lower()] = option

    def _wait_for(self, word: str) -> list[str]:
        """Lines before the one that consists of the word."""
        deadline = time.monotonic() + START_PATIENCE_S
        lines: list[str] = []
        while (line := self._next_line(deadline)) != word:
            lines.append(line)
        return lines

    def _next_line(self, deadline: float) -> str:
        while b"\n" not in self._unread:
            self._unread += self._read(deadline, "its start")
        line, self._unread = self._unread.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def _read(self, deadline: float, where: str) -> bytes:
        """The next bytes; `where` names what the engine is busy with, for the error."""
        assert self._process.stdout is not None
        left_s = deadline - time.monotonic()
        if left_s <= 0 or not select.select([self._process.stdout], [], [], left_s)[0]:
            raise EngineHungError(f"{self.name}: no answer in time in {where!r}")
        chunk = os.read(self._process.stdout.fileno(), _CHUNK)
        if not chunk:
            raise self._exit_error(where)
        return chunk


def _find_best_move(thinking: bytes) -> tuple[int, int] | None:
    """Where the line of the best move begins and ends, once it is complete."""
    start = 0 if thinking.startswith(b"bestmove") else thinking.find(b"\nbestmove") + 1
    if start == 0 and not thinking.startswith(b"bestmove"):
        return None
    end = thinking.find(b"\n", start)
    return None if end < 0 else (start, end)


def _last_score(thinking: bytes) -> tuple[str, int] | None:
    """The last exact evaluation, looked for from the end: most of what an engine prints is never read."""
    end = len(thinking)
    while (start := thinking.rfind(b" score ", 0, end)) >= 0:
        if (match := _SCORE.match(thinking, start)) is not None:
            return match[1].decode(), int(match[2])
        end = start
    return None


def _last_nodes(thinking: bytes) -> int | None:
    match = _NODES.match(thinking, max(0, thinking.rfind(b" nodes ")))
    return None if match is None else int(match[1])
