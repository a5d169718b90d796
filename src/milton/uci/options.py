"""The options of the UCI engine: their names, kinds and bounds. Knows nothing of what they do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from milton import _core
from milton.config import Algorithm, default_search
from milton.errors import ArgumentError
from milton.games import GameSpec
from milton.play import DEFAULT_MEMORY_MB, HIGHEST_LEVEL, elo_range
from milton.play.clock import DEFAULT_MOVE_OVERHEAD_S
from milton.system import physical_memory_mb

MAX_THREADS = 256
MAX_OVERHEAD_MS = 10_000
FULL_STRENGTH = 0  # below the lowest level
MAX_SEED = 2**31 - 1
ANY_SEED = 0  # every game differs
NO_FILE = "<empty>"  # how UCI writes an empty string


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the answer to `uci`. Fractions are strings, because UCI has only whole numbers."""

    name: str
    kind: Literal["spin", "check", "string", "combo", "button"]
    default: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    def declaration(self) -> str:
        if self.kind == "button":
            return f"option name {self.name} type button"
        details = f" min {self.low} max {self.high}" if self.kind == "spin" else ""
        details += "".join(f" var {choice}" for choice in self.choices)
        return f"option name {self.name} type {self.kind} default {self.default}{details}"

    def check(self, value: str) -> str:
        """The value in its usual form; ArgumentError names the option and what it takes."""
        if self.kind == "spin":
            return str(self._whole_number(value))
        if self.kind == "check":
            if value.lower() not in ("true", "false"):
                raise ArgumentError(f"option {self.name}: expected true or false, got {value!r}")
            return value.lower()
        if self.kind == "combo":
            for choice in self.choices:
                if value.lower() == choice:
                    return choice
            raise ArgumentError(f"option {self.name}: expected {', '.join(self.choices)}, got {value!r}")
        return "" if value == NO_FILE else value

    def _whole_number(self, value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise ArgumentError(
                f"option {self.name}: expected a number from {self.low} to {self.high}, got {value!r}"
            )
        return number


# Options that are settings of the search, by their key.
SEARCH_SETTINGS = {"Algorithm": "algorithm", "CPuct": "c_puct", "PolicyTemperature": "policy_temperature"}


def options_for(checkpoint: str, *, tuning: bool = False) -> tuple[Option, ...]:
    """All options; `checkpoint` is the network that plays until another is named.

    `tuning` adds the numbers of alpha-beta.
    """
    memory_mb = physical_memory_mb()
    search = default_search("chess")
    lowest_elo, highest_elo = elo_range("chess")
    return (
        Option("Threads", "spin", "1", 1, MAX_THREADS),
        Option("Hash", "spin", str(min(DEFAULT_MEMORY_MB, memory_mb)), 1, memory_mb),
        Option("MultiPV", "spin", "1", 1, GameSpec.of("chess").max_moves),
        Option("Ponder", "check", "false"),
        Option("Clear Hash", "button"),
        Option("Move Overhead", "spin", str(round(DEFAULT_MOVE_OVERHEAD_S * 1000)), 0, MAX_OVERHEAD_MS),
        Option("Algorithm", "combo", search.algorithm, choices=get_args(Algorithm)),
        Option("Level", "spin", str(FULL_STRENGTH), FULL_STRENGTH, HIGHEST_LEVEL),
        Option("UCI_LimitStrength", "check", "false"),
        Option("UCI_Elo", "spin", str(highest_elo), lowest_elo, highest_elo),
        Option("LevelSeed", "spin", str(ANY_SEED), ANY_SEED, MAX_SEED),
        Option("UCI_AnalyseMode", "check", "false"),
        Option("UCI_Chess960", "check", "false"),
        Option("UCI_ShowWDL", "check", "false"),
        Option("WeightsFile", "string", checkpoint or NO_FILE),
        Option("CPuct", "string", str(search.c_puct)),
        Option("PolicyTemperature", "string", str(search.policy_temperature)),
        Option("VerboseMoveStats", "check", "false"),
        *(tuning_options() if tuning else ()),
    )


def tuning_options() -> tuple[Option, ...]:
    """One spin option for each number of alpha-beta, named as in the core."""
    return tuple(
        Option(name, "spin", str(default), low, high)
        for name, default, low, high in _core.chess.AlphaBetaSearcher.parameters()
    )


def find_option(options: Sequence[Option], name: str) -> Option:
    """By name, whatever its case, as UCI asks; "MoveOverhead", as it was called before, is found too."""
    wanted = name.replace(" ", "").lower()
    for option in options:
        if option.name.replace(" ", "").lower() == wanted:
            return option
    raise ArgumentError(f"no such option: {name!r}")
