"""Names of players turned into descriptions that can be sent to other processes. Opens nothing.

A name is a checkpoint file, an engine of the catalog (`stockfish-skill-2@movetime:0.01`), the path of any UCI
engine (with a slash in it), or one of our own baselines: `random`, `greedy`, `uniform-N` and `mcts-N` (search
without a network, N simulations a move). Rooms above add their own players by `register_players`.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from milton.config import SearchSettings, default_search
from milton.errors import ArgumentError

from .catalog import Protocol, command_of, load_catalog, parse_engine
from .limits import MoveLimit
from .sources import player_sources

if TYPE_CHECKING:
    from .players import RatedPlayer

PlayerKind = Literal["network", "engine", "random", "greedy", "playouts", "method"]

_DEFAULT_PROGRAM_LIMIT = MoveLimit("movetime", 0.01)
_BASELINE = re.compile(r"(mcts|uniform)-(\d+)")


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """Everything needed to make a player anywhere."""

    name: str
    kind: PlayerKind
    game: str
    limit: MoveLimit | None = None  # None: the player does not search
    checkpoint: Path | None = None  # of a network; None is search with uniform priors
    command: tuple[str, ...] = ()  # of an outside engine
    protocol: Protocol = "uci"
    options: tuple[tuple[str, str | int | bool], ...] = ()
    search: SearchSettings = field(default_factory=SearchSettings)
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
    if stem.endswith(".safetensors"):
        limit = MoveLimit.parse(limit_text) if limit_text else network_limit
        return network_spec(Path(stem), game, limit)
    if stem == "random":
        return PlayerSpec(stem, "random", game)
    if match := _BASELINE.fullmatch(stem):
        limit = MoveLimit.parse(f"nodes:{match[2]}")
        return PlayerSpec(stem, "playouts" if match[1] == "mcts" else "network", game, limit)
    if game != "chess":
        raise ArgumentError(f"no opponent {text!r} for {game}; there are random, mcts-N and uniform-N")
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


def _program_spec(program: Path, limit_text: str, default: MoveLimit | None) -> PlayerSpec:
    if not program.is_file() or not os.access(program, os.X_OK):
        raise ArgumentError(f"no program to run at {str(program)!r}")
    limit = MoveLimit.parse(limit_text) if limit_text else default or _DEFAULT_PROGRAM_LIMIT
    return PlayerSpec(f"{program.name}@{limit}", "engine", "chess", limit, command=(str(program.resolve()),))
