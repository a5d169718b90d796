"""A conversation with a GUI: the state between its lines. It translates; Engine decides.

Lines are handled in the thread that reads them, so `isready` is answered during a search; a search has its
own thread and shares nothing with this one but the output. Only a search of some milliseconds is made in the
thread that reads: on a busy core every hand-off between threads costs more than that.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from pydantic import ValidationError

from milton import __version__
from milton.config import Algorithm, SearchSettings
from milton.errors import ArgumentError, IllegalMoveError, MiltonError, NotationError
from milton.games import Position, divide
from milton.play import (
    NO_NETWORK_WARNING,
    Analysis,
    Choice,
    Engine,
    Level,
    Limits,
    Network,
    RunningSearch,
    find_level,
    level_for_elo,
)
from milton.uci.commands import MOST_COMPLAINTS, Go, parse_go, parse_position, parse_setoption
from milton.uci.info import InfoWriter, WriteLine, bestmove_line, chess960_line, move_stats_lines, uci_line
from milton.uci.options import (
    ANY_SEED,
    FULL_STRENGTH,
    SEARCH_SETTINGS,
    find_option,
    options_for,
    tuning_options,
)

# How long a search may keep other lines waiting.
PATIENCE_S = 0.04
# Enough to touch most huge pages (2 MB) of the table, in a position that no game comes to.
NODES_TO_WARM_UP_PER_MB = 4
MOST_NODES_TO_WARM_UP = 20_000
WARM_UP_FEN = "k7/8/K7/P1P1P1P1/1p1p1p1p/8/8/8 w - - 0 1"
NEW_SEARCH_OPTIONS = ("Hash", "WeightsFile", "Algorithm")  # memory is taken anew
MOST_NOTE_CHARS = 500  # of a line that a GUI shows to people; a refused value may be megabytes long
MAX_PERFT_DEPTH = 6  # half a minute at most: nothing else is answered meanwhile


class Output:
    """Whole lines from several threads. A GUI that is gone is noticed by the end of its input, not here."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def lines(self, *lines: str) -> None:
        with self._lock:
            try:
                self._stream.write("".join(f"{line}\n" for line in lines))
                self._stream.flush()
            except (OSError, ValueError):
                pass

    def note(self, text: str) -> None:
        self.lines(f"info string {' '.join(text.split())[:MOST_NOTE_CHARS]}")


class Session:
    def __init__(
        self, network: Network, output: Output, checkpoint: Path | None = None, *, tuning: bool = False
    ) -> None:
        self._output = output
        self._first_network = network
        self._options = options_for(str(checkpoint) if checkpoint else "", tuning=tuning)
        self._tunable = {option.name for option in tuning_options()}
        self._values = {option.name: option.check(option.default) for option in self._options}
        self._engine = Engine(network, memory_mb=int(self._values["Hash"]))
        self._position = Position.start("chess")
        self._has_position = True
        self._running: RunningSearch | None = None
        self._named_algorithm: Algorithm | None = None  # what the GUI was last sent
        self._read_s = 0.0  # when the present line was read, by time.perf_counter
        self._position_s = 0.0  # what reading the position took; the clock has been running since
        self._is_debugging = False
        self._is_warm = False
        self._commands: dict[str, Callable[[Sequence[str]], None]] = {
            "uci": self._uci,
            "debug": self._debug,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self._engine.stop(),
            "ponderhit": self._ponderhit,
            "d": lambda _: self._output.lines(str(self._position), f"Fen: {self._position.fen}"),
        }

    def handle(self, line: str) -> bool:
        """Obeys one line; False when the conversation is over. What makes no sense is answered or ignored."""
        self._read_s = time.perf_counter()
        words = line.split()
        # The specification lets unknown words before a command be skipped.
        known = (index for index, word in enumerate(words) if word in self._commands or word == "quit")
        num_unknown = next(known, len(words))
        if self._is_debugging:
            for word in words[: min(num_unknown, MOST_COMPLAINTS)]:
                self._output.note(f"unknown command {word[:80]!r}")
        words = words[num_unknown:]
        if not words:
            return True
        if words[0] == "quit":
            return False
        try:
            self._commands[words[0]](words[1:])
        except MiltonError as error:
            self._output.note(f"{words[0]}: {error}")
        return True

    def close(self) -> None:
        self._engine.stop()

    # Commands

    def _uci(self, _: Sequence[str]) -> None:
        self._output.lines(
            f"id name Milton {__version__}",
            "id author the Milton developers",
            *(option.declaration() for option in self._options),
            "uciok",
        )
        if self._engine.network.info is None:
            self._output.note(NO_NETWORK_WARNING)

    def _isready(self, _: Sequence[str]) -> None:
        # During a search the memory is there already.
        if not self._engine.is_searching:
            self._prepare()
        self._output.lines("readyok")

    def _prepare(self) -> None:
        self._engine.prepare()
        if self._engine.memory_mb < int(self._values["Hash"]):
            self._output.note(f"no memory for Hash {self._values['Hash']}, {self._engine.memory_mb} is used")
            self._values["Hash"] = str(self._engine.memory_mb)
        self._warm_up()

    def _warm_up(self) -> None:
        """Searches a little where nobody waits: a game's first search reads code and touches memory for the
        first time, which on a busy core takes as long as many moves of a fast game."""
        if not self._is_warm:
            self._is_warm = True
            nodes = min(MOST_NODES_TO_WARM_UP, NODES_TO_WARM_UP_PER_MB * int(self._values["Hash"]))
            choice = self._engine.choose(Position.from_fen(WARM_UP_FEN), Limits(nodes=nodes))
            InfoWriter(1, show_wdl=False).last(choice.analysis)

    def _forget(self) -> None:
        self._engine.forget()
        self._is_warm = False

    def _ucinewgame(self, _: Sequence[str]) -> None:
        self._named_algorithm = None
        self._forget()
        self._prepare()

    def _debug(self, words: Sequence[str]) -> None:
        self._is_debugging = list(words) == ["on"]

    def _set_position(self, words: Sequence[str]) -> None:
        self._has_position = False  # until the new one is read: no move is played in the old one
        self._position = parse_position(words, chess960=self._is_on("UCI_Chess960"))
        self._has_position = True
        self._position_s = time.perf_counter() - self._read_s

    def _go(self, words: Sequence[str]) -> None:
        go = parse_go(words)
        for complaint in go.complaints:
            self._output.note(complaint)
        if go.perft is not None:
            self._perft(go.perft)
            return
        self._engine.stop()
        self._start(go)

    def _start(self, go: Go) -> None:
        position = self._position
        if not self._has_position:
            self._output.lines(
                "info string no position to search: the last one was refused", "bestmove (none)"
            )
            return
        go = replace(go, searchmoves=self._legal_only(go.searchmoves))
        num_lines, is_verbose = int(self._values["MultiPV"]), self._is_on("VerboseMoveStats")
        write_line = self._write_line()
        writer = InfoWriter(num_lines, self._is_on("UCI_ShowWDL"), write_line)

        def on_info(analysis: Analysis) -> None:
            self._output.lines(*writer.progress(analysis))

        def on_choice(choice: Choice) -> None:
            stats = move_stats_lines(choice.analysis, write_line) if is_verbose else ()
            lines = writer.last(choice.analysis)
            if choice.move is None:
                lines = ["info depth 0 score " + ("mate 0" if position.in_check else "cp 0")]
            self._output.lines(*stats, *lines, bestmove_line(choice, write_line))

        limits = self._at_level(go.limits(position.side_to_move == "first"))
        self._name_algorithm(self._engine.algorithm_for(limits))
        self._running = self._engine.start(
            position,
            limits,
            ponder=go.ponder,
            on_info=on_info,
            on_choice=on_choice,
            num_lines=num_lines,
            every_depth=True,
            asked_s=self._read_s - self._position_s,
            patience_s=PATIENCE_S,
        )
        self._position_s = 0.0

    def _name_algorithm(self, algorithm: Algorithm) -> None:
        """Once a game, and whenever another one searches."""
        if algorithm != self._named_algorithm:
            self._named_algorithm = algorithm
            self._output.note(f"algorithm {algorithm}")

    def _write_line(self) -> WriteLine:
        return chess960_line(self._position) if self._is_on("UCI_Chess960") else uci_line

    def _legal_only(self, moves: Sequence[str]) -> tuple[str, ...]:
        """`go` is always answered: illegal moves are left out and reported."""
        legal: list[str] = []
        refusals: list[str] = []
        for move in moves:
            try:
                legal.append(self._position.parse(move))
            except (IllegalMoveError, NotationError) as error:  # answered here: this is the door
                refusals.append(f"go searchmoves: {error}")
        for refusal in refusals[:MOST_COMPLAINTS]:
            self._output.note(refusal)
        return tuple(legal)

    def _at_level(self, limits: Limits) -> Limits:
        """What the GUI allows, but no more simulations than the level has."""
        level = self._level()
        if level is None or level.simulations is None:
            return limits
        simulations = min(level.simulations, limits.nodes or level.simulations)
        at_level = level.limits()
        return replace(
            limits,
            nodes=None,
            simulations=simulations,
            algorithm=at_level.algorithm,
            fresh=at_level.fresh,
            sampling=at_level.sampling,
        )

    def _level(self) -> Level | None:
        """The level asked for by either option, an Elo before a number; None is full strength.

        Who analyses wants the whole engine, whatever level they play against.
        """
        if self._is_on("UCI_AnalyseMode"):
            return None
        if self._is_on("UCI_LimitStrength"):
            return level_for_elo("chess", int(self._values["UCI_Elo"]))
        number = int(self._values["Level"])
        return None if number == FULL_STRENGTH else find_level("chess", number)

    def _ponderhit(self, _: Sequence[str]) -> None:
        if self._running is not None:
            self._running.ponderhit()

    def _perft(self, depth: int) -> None:
        if not 1 <= depth <= MAX_PERFT_DEPTH:
            raise ArgumentError(f"expected a depth from 1 to {MAX_PERFT_DEPTH}, got {depth}")
        counts = divide(self._position, depth)
        write_line = self._write_line()
        self._output.lines(
            *(f"{write_line([move])}: {count}" for move, count in counts.items()),
            "",
            f"Nodes searched: {sum(counts.values())}",
        )

    # Options

    def _setoption(self, words: Sequence[str]) -> None:
        name, text = parse_setoption(words)
        option = find_option(self._options, name)
        value = option.check(text)
        self._apply(option.name, value)
        if option.name in NEW_SEARCH_OPTIONS:
            self._is_warm = False
        self._values[option.name] = value

    def _apply(self, name: str, value: str) -> None:
        if name == "Threads":
            self._engine.set_threads(int(value))
        elif name == "Hash":
            self._engine.set_memory(int(value))
        elif name == "Clear Hash":
            self._forget()
        elif name == "Move Overhead":
            self._engine.move_overhead_s = int(value) / 1000
        elif name == "LevelSeed":
            self._engine.seed = None if int(value) == ANY_SEED else int(value)
        elif name == "WeightsFile":
            self._engine.swap(Path(value) if value else self._first_network)
        elif name in SEARCH_SETTINGS:
            self._change_search(SEARCH_SETTINGS[name], value if name == "Algorithm" else _number(value))
        elif name in self._tunable:
            self._engine.tune(name, int(value))

    def _change_search(self, field: str, value: object) -> None:
        try:
            changed = {**self._engine.settings.model_dump(), field: value}
            settings = SearchSettings.model_validate(changed)
        except ValidationError as error:
            raise ArgumentError(f"{error.errors()[0]['msg']}, got {value!r}") from error
        self._engine.set_settings(settings)

    def _is_on(self, name: str) -> bool:
        return self._values[name] == "true"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ArgumentError(f"expected a number, got {text!r}") from error
