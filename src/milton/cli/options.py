"""Options that several commands share, and how they become settings."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from milton.gameinfo import GAME_NAMES

if TYPE_CHECKING:
    from milton.config import Settings


class DeviceName(StrEnum):
    """The names of milton.inference, which is not imported here: --help must stay quick."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"
    MPS = "mps"


RunFolder = Annotated[Path | None, typer.Option("--run", help="Run folder.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="A settings file.")]
Profile = Annotated[str | None, typer.Option(help="A built-in profile; see `milton config profiles`.")]
Game = Annotated[str | None, typer.Option(help=f"One of {', '.join(GAME_NAMES)}.")]
GameName = Annotated[str, typer.Option(help=f"One of {', '.join(GAME_NAMES)}.")]
GameOfNetwork = Annotated[
    str | None,
    typer.Option(
        "--game",
        help=f"One of {', '.join(GAME_NAMES)}; default: the game of --run or --checkpoint, else chess.",
    ),
]
Changes = Annotated[list[str] | None, typer.Option("--set", help="table.key=value; may be repeated.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Random seed.")]
Device = Annotated[DeviceName, typer.Option(help="Where a dense network runs; sparse ones run in the core.")]
Threads = Annotated[int, typer.Option(min=0, help="Threads; 0 uses all cores.")]

Cluster = Annotated[
    str | None,
    typer.Option(
        help="Play on a Ray cluster: ray://HOST:PORT, HOST:PORT, auto (RAY_ADDRESS, or one on this machine), "
        "local (a private one) or none. Default: RAY_ADDRESS, else none."
    ),
]
Workers = Annotated[
    int, typer.Option(min=0, max=10_000, help="Workers that play games, on the cluster; 0: one per node.")
]
LocalWorkers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "--concurrency",
        min=1,
        help="Workers that play games; default: one per core.",
    ),
]


@dataclass(frozen=True, slots=True)
class SettingsOptions:
    """What a command is told about the settings of a game (option_groups)."""

    config_file: ConfigFile = None
    profile: Profile = None
    game: Game = None
    changes: Changes = None
    seed: Seed = None

    @property
    def overrides(self) -> dict[str, object]:
        return overrides_of(self.changes, self.seed)


def overrides_of(changes: Iterable[str] | None, seed: int | None = None) -> dict[str, object]:
    """What the command line sets, as "table.key" values."""
    from milton.config import parse_override

    values = dict(parse_override(text) for text in changes or ())
    if seed is not None:
        values["loop.seed"] = seed
    return values


def settings_of(
    run: Path | None,
    *,
    config_file: Path | None = None,
    profile: str | None = None,
    game: str | None = None,
    overrides: dict[str, object] | None = None,
) -> "Settings":
    """Settings of a run where one is named, else of files, profile and game."""
    from milton.config import Settings
    from milton.rundir import RunDir

    if run is not None:
        with RunDir.open(run, writable=False) as opened:
            return opened.settings_now(overrides)
    return Settings.load(config_file=config_file, profile=profile, game=game, overrides=overrides)


def chosen_game(game: str | None, checkpoint: Path | None, run: Path | None) -> str:
    """The game that was named, else that of the network or run that was named, else chess."""
    if game is not None or (checkpoint is None and run is None):
        return game or "chess"
    from milton.nets import read_checkpoint_info
    from milton.play import find_checkpoint

    path = find_checkpoint("chess", checkpoint, run)
    assert path is not None  # one was named
    return read_checkpoint_info(path).description.game


def num_threads(wanted: int) -> int:
    return wanted or os.cpu_count() or 1
