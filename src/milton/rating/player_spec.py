"""Names of players turned into descriptions that can be sent to other processes. Opens nothing.

A name is a checkpoint file, an engine of the catalog (`stockfish-skill-2@movetime:0.01`), the path of any UCI
engine (with a slash in it), or one of our own baselines: `random`, `greedy`, `uniform-N` and `mcts-N` (search
without a network, N simulations a move), `level-N` (a level of the shipped champion). Rooms above add their
own players by `register_players`.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from milton.config import SearchSettings, default_search
from milton.errors import ArgumentError
from milton.play import Level, find_level, shipped_champion
from milton.play.levels import TOP_LEVEL_S
from milton.rundir import RunDir, network_file

from .catalog import Protocol, catalog_name, command_of, load_catalog, parse_engine
from .limits import MoveLimit
from .sources import player_sources
from .uci_process import OptionValue

if TYPE_CHECKING:
    from .players import RatedPlayer

PlayerKind = Literal["network", "engine", "random", "greedy", "playouts", "method"]

_DEFAULT_PROGRAM_LIMIT = MoveLimit("movetime", 0.01)
_BASELINE = re.compile(r"(mcts|uniform)-(\d+)")
_LEVEL = re.compile(r"level-(\d+)")


@dataclass(frozen=True, slots=True)
class CommonOptions:
    """Option values for both sides of a match, where they have such an option; None keeps the default."""

    hash_mb: int | None = None
    threads: int | None = None
    overhead_ms: int | None = None


ENGINE_DEFAULTS = CommonOptions()


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """Everything needed to make a player anywhere."""

    name: str
    kind: PlayerKind
    game: str
    limit: MoveLimit | None = None  # None: the player does not search
    checkpoint: Path | None = None  # of a network; None is search with uniform priors
    command: tuple[str, ...] = ()  # of an engine in a process of its own
    is_ours: bool = False  # an engine that is our own: its failures are lost games
    protocol: Protocol = "uci"
    options: tuple[tuple[str, OptionValue], ...] = ()
    common: CommonOptions = ENGINE_DEFAULTS
    search: SearchSettings = field(default_factory=SearchSettings)
    level: Level | None = None  # of play; takes the place of a limit, which only the highest one has
    # Of players from rooms above: a module's function, so that other processes find it by its name.
    opener: "Callable[[PlayerSpec], RatedPlayer] | None" = None

    @property
    def is_timed(self) -> bool:
        return self.limit is not None and self.limit.is_timed


def network_spec(
    checkpoint: Path,
    game: str,
    limit: MoveLimit,
    *,
    name: str | None = None,
    search: SearchSettings | None = None,
) -> PlayerSpec:
    if not checkpoint.is_file():
        raise ArgumentError(f"no checkpoint {str(checkpoint)!r}")
    return PlayerSpec(
        name or f"{short_name(checkpoint)}@{limit}",
        "network",
        game,
        limit,
        checkpoint.resolve(),
        search=search or default_search(game),
    )


def short_name(checkpoint: Path) -> str:
    """`iter_0007/candidate` for files of a run, the file's own name elsewhere."""
    parent = checkpoint.resolve().parent
    if parent.name.startswith("iter_"):
        return f"{parent.parent.name}/{parent.name}"
    return checkpoint.stem


def parse_player(
    text: str, game: str, *, network_limit: MoveLimit, engine_limit: MoveLimit | None = None
) -> PlayerSpec:
    """The player of a name; ArgumentError or EngineError if there is none."""
    for source in player_sources():
        if (spec := source.parse(text, game)) is not None:
            return spec
    stem, _, limit_text = text.partition("@")
    if stem.endswith(".safetensors") or RunDir.exists(Path(stem)):
        limit = MoveLimit.parse(limit_text) if limit_text else network_limit
        return network_spec(network_file(Path(stem)), game, limit)
    if stem == "random":
        return PlayerSpec(stem, "random", game)
    if match := _BASELINE.fullmatch(stem):
        limit = MoveLimit.parse(f"nodes:{match[2]}")
        return PlayerSpec(stem, "playouts" if match[1] == "mcts" else "network", game, limit)
    if match := _LEVEL.fullmatch(stem):
        return _level_spec(stem, game, int(match[1]), MoveLimit.parse(limit_text) if limit_text else None)
    if game != "chess":
        raise ArgumentError(
            f"no opponent {text!r} for {game}; there are random, mcts-N, uniform-N and level-N"
        )
    if stem == "greedy":
        return PlayerSpec(stem, "greedy", game)
    if "/" in stem:
        return _program_spec(Path(stem), limit_text, engine_limit)
    choice = parse_engine(text, engine_limit)
    return PlayerSpec(
        choice.name,
        "engine",
        game,
        choice.limit,
        command=tuple(command_of(choice.engine)),
        protocol=load_catalog().engines[choice.engine].protocol,
        options=tuple(choice.options.items()),
    )


def _level_spec(name: str, game: str, number: int, limit: MoveLimit | None) -> PlayerSpec:
    """Only the highest level has a limit: it plays by the clock, or for its usual time a move."""
    level = find_level(game, number)
    if level.simulations is not None and limit is not None:
        raise ArgumentError(f"{name!r} makes {level.simulations} simulations a move and obeys no other limit")
    if level.simulations is None and limit is None:
        limit = MoveLimit("movetime", TOP_LEVEL_S)
    return PlayerSpec(
        name if limit is None else f"{name}@{limit}",
        "network",
        game,
        limit,
        shipped_champion(game),
        search=default_search(game),
        level=level,
    )


def uci_spec(
    text: str,
    limit: MoveLimit,
    *,
    common: CommonOptions = ENGINE_DEFAULTS,
    options: Mapping[str, OptionValue] | None = None,
) -> PlayerSpec:
    """A chess player as a UCI process, our own engine included: what two builds or option sets differ in.

    `text` is an engine of the catalog, `champion` (the shipped one), a checkpoint, a run or a command.
    """
    own = tuple((options or {}).items())
    if text == "champion" or text.endswith(".safetensors") or RunDir.exists(Path(text)):
        checkpoint = _own_network(text)
        engine = (sys.executable, "-m", "milton.cli", "uci")
        # A run's champion is pinned: a promotion in the middle of a match would change who plays.
        return PlayerSpec(
            "milton" if text == "champion" else f"milton {short_name(Path(text))}",
            "engine",
            "chess",
            limit,
            checkpoint,
            command=engine if text == "champion" else (*engine, "--checkpoint", str(checkpoint)),
            is_ours=True,
            options=own,
            common=common,
        )
    words = shlex.split(text)
    if not words:
        raise ArgumentError("expected an engine, got an empty name")
    program = shutil.which(words[0])
    if len(words) > 1 or "/" in words[0] or (program is not None and catalog_name(text) is None):
        if program is None:
            raise ArgumentError(f"no run, network or program at {words[0]!r}")
        name = " ".join((Path(words[0]).name, *words[1:]))
        command = (str(Path(program).resolve() if "/" not in program else program), *words[1:])
        return PlayerSpec(name, "engine", "chess", limit, command=command, options=own, common=common)
    choice = parse_engine(text, limit)
    entry = load_catalog().engines[choice.engine]
    covered = {
        name for name, value in (("Hash", common.hash_mb), ("Threads", common.threads)) if value is not None
    }
    kept = {name: value for name, value in choice.options.items() if name not in covered}
    return PlayerSpec(
        choice.name.partition("@")[0],
        "engine",
        "chess",
        choice.limit,
        command=tuple(command_of(choice.engine)),
        protocol=entry.protocol,
        options=(*kept.items(), *own),
        common=common,
    )


def _own_network(text: str) -> Path | None:
    """The checkpoint that our engine plays with under this name."""
    if text == "champion":
        return shipped_champion("chess")
    path = Path(text)
    if not path.exists():
        raise ArgumentError(f"no checkpoint {text!r}")
    if path.is_file():
        return path.resolve()
    with RunDir.open(path, writable=False) as run:
        return run.deployed_checkpoint().resolve()


def _program_spec(program: Path, limit_text: str, default: MoveLimit | None) -> PlayerSpec:
    if not program.is_file() or not os.access(program, os.X_OK):
        raise ArgumentError(f"no program to run at {str(program)!r}")
    limit = MoveLimit.parse(limit_text) if limit_text else default or _DEFAULT_PROGRAM_LIMIT
    return PlayerSpec(f"{program.name}@{limit}", "engine", "chess", limit, command=(str(program.resolve()),))
