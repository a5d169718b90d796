"""A UCI engine as a player of rating games: clocks, equal options on both sides. Judges nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from milton.errors import ArgumentError, EngineError
from milton.games import Position

from . import uci_process
from .limits import Clocks, MoveLimit
from .player_spec import CommonOptions, PlayerSpec
from .uci_process import OptionValue, UciProcess

# What engines call the same thing. The first name that an engine announces is used.
_HASH = ("Hash",)
_THREADS = ("Threads", "Number of Threads", "Cores")
_OVERHEAD = ("Move Overhead", "MoveOverhead", "Move_Overhead", "Overhead", "Lag")
_OFF = ("OwnBook", "Ponder")  # no own books, no pondering

# Nodes and depths say nothing about time: such a search may take this many times as long.
_SLOW_SEARCHES = 6


class UciPlayer:
    """Starts the engine at once and keeps it from game to game."""

    def __init__(self, spec: PlayerSpec) -> None:
        assert spec.limit is not None
        self._limit = spec.limit
        self._hangs = False
        self._engine = start_engine(spec)
        self._changes: dict[str, OptionValue] = {}
        self.score_cp: int | None = None

    @property
    def identity(self) -> str:
        return self._engine.identity

    def change_options(self, values: Mapping[str, OptionValue]) -> None:
        """Sets options from the next game on; until then nothing is sent."""
        self._changes = dict(values)

    def begin_game(self, _seed: int, /) -> None:
        self._engine.set_options(self._changes)
        self._changes = {}
        self._engine.begin_game()

    def choose(self, position: Position, moves: Sequence[str], clocks: Clocks | None, /) -> str:
        line = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        patience_s = patience_of(self._limit, clocks, position.line.side_to_move)
        try:
            answer = self._engine.think(line, go_command(self._limit, clocks), patience_s)
        except uci_process.EngineHungError:
            self._hangs = True
            raise
        self.score_cp = answer.score_cp
        return answer.move

    def close(self) -> None:
        self._engine.close(at_once=self._hangs)


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What a report says about an engine; None is an option that it does not have."""

    identity: str
    hash_mb: str | None
    threads: str | None
    overhead_ms: str | None
    options: tuple[tuple[str, str], ...]  # that were set, by the engine's own names

    def __str__(self) -> str:
        told = {"Hash": self.hash_mb, "Threads": self.threads, "overhead": self.overhead_ms}
        common = ", ".join(
            f"{name} {value if value is not None else '(none)'}" for name, value in told.items()
        )
        known = {name.lower() for name in (*_HASH, *_THREADS, *_OVERHEAD, *_OFF)}
        own = "".join(f", {name}={value}" for name, value in self.options if name.lower() not in known)
        return f"{self.identity or 'unnamed engine'}: {common}{own}"


def probe_engine(spec: PlayerSpec, *later: Mapping[str, OptionValue]) -> EngineFacts:
    """Starts the engine once and asks what it is: a wrong option or program is reported before the match.

    `later` are values that options will be set to during it; ArgumentError if one would be refused.
    """
    engine = start_engine(spec)
    try:
        for values in later:
            for name, value in values.items():
                if (option := engine.find_option(name)) is not None:
                    option.check(value)
        return EngineFacts(
            engine.identity,
            engine.value_of(*_HASH),
            engine.value_of(*_THREADS),
            engine.value_of(*_OVERHEAD),
            tuple(engine.values.items()),
        )
    finally:
        engine.close()


def start_engine(spec: PlayerSpec) -> UciProcess:
    engine = UciProcess(spec.name, spec.command)
    try:
        engine.set_options(_common_values(engine, spec.common) | dict(spec.options))
    except (ArgumentError, EngineError):
        engine.close()
        raise
    return engine


def _common_values(engine: UciProcess, common: CommonOptions) -> dict[str, OptionValue]:
    """Options set to equal values on both sides, where the engine has them."""
    wanted: list[tuple[tuple[str, ...], OptionValue | None]] = [
        (_HASH, common.hash_mb),
        (_THREADS, common.threads),
        (_OVERHEAD, common.overhead_ms),
        *(((name,), False) for name in _OFF),
    ]
    values: dict[str, OptionValue] = {}
    for names, value in wanted:
        option = engine.find_option(*names)
        if option is not None and value is not None:
            values[option.name] = value
    return values


def go_command(limit: MoveLimit, clocks: Clocks | None) -> str:
    if limit.kind == "movetime":
        return f"go movetime {round(limit.amount * 1000)}"
    if limit.kind != "clock":
        return f"go {limit.kind} {limit.count}"
    assert clocks is not None
    # Engines read 0 or less as "no clock".
    white, black = (max(1, int(1000 * seconds)) for seconds in clocks.remaining_s)
    white_increment, black_increment = (round(1000 * seconds) for seconds in clocks.increment_s)
    return f"go wtime {white} btime {black} winc {white_increment} binc {black_increment}"


def patience_of(limit: MoveLimit, clocks: Clocks | None, side: int) -> float:
    """Seconds after which an engine counts as hung."""
    if limit.kind == "clock" and clocks is not None:
        return clocks.remaining_s[side] + uci_process.PATIENCE_S
    if limit.kind == "movetime":
        return limit.amount + uci_process.PATIENCE_S
    return _SLOW_SEARCHES * uci_process.PATIENCE_S
